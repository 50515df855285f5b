/**
 * Write a SnakeCore bot in Java: a class that extends this one. JBot.java, JBotBase.java and AreaInfo.java, and
 * nothing else to install (Java 11 or newer).
 *
 * <p>A complete bot, which collects blocks and delivers when it has four:
 *
 * <pre>{@code
 * class TenLines extends JBot {
 *     String getName() {
 *         return "Ten Lines";
 *     }
 *
 *     char getAction(AreaInfo area) {
 *         if (area.me().length() > 4 || area.freeBlocks().isEmpty()) {
 *             return area.stepTowards(area.reactors());
 *         }
 *         return area.stepTowards(area.freeBlocks());
 *     }
 * }
 * }</pre>
 *
 * <p>Start it with {@code java TenLines}: the inherited main method creates one object of the bot's class for the
 * match. So a bot can keep data from turn to turn in its fields.
 *
 * <p>While a bot plays, {@code System.out.println} writes to stderr, the player's own log: only answers go to the real
 * stdout. Exceptions are not caught: the program ends with a trace on stderr and status 1, which disqualifies.
 */
public abstract class JBot extends JBotBase {}
