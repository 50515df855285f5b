/** The smallest bot on the SDK, with a fault for each of two sizes of the board. */
class DialogueBot extends JBot {
    @Override
    String getName() {
        String[] names = {"Tell Tale"};
        return names[Integer.parseInt(System.getenv().getOrDefault("NAME", "0"))];
    }

    @Override
    char getAction(AreaInfo area) {
        System.out.println("thinking");
        if (area.size() == 3) {
            throw new IllegalStateException("a field of 3 x 3 is too small for me");
        }
        return area.size() == 4 ? 'X' : area.stepTowards(area.freeBlocks());
    }
}
