package io.ecfs.plan.write;

/**
 * Amounts of which the times of a write are linear. A coefficient of a term that counts things or bytes is in
 * nanoseconds each; a coefficient of a term that is a time on the network is a factor, 1 where the network is used
 * without loss.
 */
public enum CostTerm {
    /** One write. */
    WRITE(false),
    /** Bytes of the write. */
    BYTE(false),
    /** Stripes of the write; a fraction where several writes share one. */
    STRIPE(false),
    /** Bytes of the write, each counted once for each parity cell that it enters. */
    CODED_BYTE(false),
    /** Cells that are sent. */
    MESSAGE(false),
    /** Bytes of all cells that are sent. */
    SENT_BYTE(false),
    /** Bytes of the write in one cell's column: R/k. */
    CELL_BYTE(false),
    /**
     * Calls to the namenode: open and close of the file, and its groups, in proportion to the write. The coefficient is
     * the namenode's own time, which bounds how many it answers; no client sees it, so it is never calibrated.
     */
    CALL(true),
    /** The same calls: time in which the namenode serves others, such as that of its log. */
    CALL_WAIT(false),
    /** Nanoseconds of the cells on the sender's link: the fan-out, LS of formula 4. */
    WIRE(true),
    /**
     * 1 where a master sends each data cell on as it comes, 0 where it has the whole stripe before it sends, as the
     * paper's. It has no time of its own.
     */
    FORWARDED(true),
    /** Nanoseconds of the write on the client's link: LM of formula 3. */
    TO_MASTER(true),
    /** Nanoseconds of the way there and back, once for each stripe. */
    ROUND_TRIP(true),
    /** Nanoseconds of the way there and back, once for each call. */
    CALL_TRIP(true),
    /**
     * One stripe on a network of 1 Gb/s, and in proportion less on a faster one: bytes that are sent beside those of
     * the cells. Of the paper alone; never calibrated.
     */
    GIGABIT(true),
    /**
     * From 0 on a network of 1 Gb/s up to 1 on an infinitely fast one: work that a slow network hides. Of the paper
     * alone, whose client overhead and master process grow with the network's speed; never calibrated.
     */
    HASTE(true);

    private static final double NANOS = 1e9;
    private static final double ONE_GIGABIT = 125e6;

    private final boolean given;

    CostTerm(boolean given) {
        this.given = given;
    }

    /** True for terms that no measured write tells, those of the network above all: calibration leaves them. */
    boolean given() {
        return given;
    }

    /** How much of it one write has. */
    double of(WriteShape shape, Network network) {
        double perByte = NANOS / network.bytesPerSecond();
        return switch (this) {
            case WRITE -> 1;
            case BYTE -> shape.recordBytes();
            case STRIPE -> shape.stripes();
            case CODED_BYTE -> (double) shape.recordBytes() * shape.parityChunks();
            case MESSAGE -> shape.stripes() * shape.fanOut();
            case SENT_BYTE -> shape.fanOutBytes();
            case CELL_BYTE -> shape.columnBytes();
            case CALL, CALL_WAIT -> shape.calls();
            case WIRE -> shape.fanOutBytes() * perByte;
            case TO_MASTER -> shape.recordBytes() * perByte;
            case ROUND_TRIP -> shape.stripes() * 2 * network.latencyNanos();
            case CALL_TRIP -> shape.calls() * 2 * network.latencyNanos();
            case FORWARDED -> 0;
            case GIGABIT -> shape.stripes() * ONE_GIGABIT / network.bytesPerSecond();
            case HASTE -> 1 - Math.min(1, ONE_GIGABIT / network.bytesPerSecond());
        };
    }
}
