/**
 * {@link JBot} under the name that the contest's rules give it: {@code class MyBot extends Jbot}. This file has a folder of
 * its own, because some file systems ignore case.
 */
public abstract class Jbot extends JBotBase {}
