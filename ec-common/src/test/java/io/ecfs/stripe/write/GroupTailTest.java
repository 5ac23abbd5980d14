package io.ecfs.stripe.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.Policy;
import org.junit.jupiter.api.Test;

class GroupTailTest {
    private final GroupTail tail = new GroupTail(Policy.parse("rs-3-2-64k"));

    /** The sync has no record of its own, and what was flushed is as much on disk as if it had. */
    @Test
    void aSyncBehindAFlushOwesTheStripeToTheDiskBeforeTheLogsGo() {
        tail.onAcknowledged(0, 100, false);
        assertThat(tail.owesSync()).isFalse();

        tail.onAcknowledged(0, 0, true);

        assertThat(tail.owesSync()).isTrue();
    }

    @Test
    void aStripeThatIsOnDiskSettlesItsRecords() {
        long stripe = 3 * 65536;
        tail.onAcknowledged(0, 100, true);
        tail.onAcknowledged(stripe, stripe, false);
        assertThat(tail.settled()).isZero();

        tail.onAcknowledged(stripe, stripe + 10, true);

        assertThat(tail.settled()).isEqualTo(stripe);
    }

    @Test
    void whatWasOnceOnDiskIsPublishedOnDisk() {
        long stripe = 3 * 65536;
        tail.onAcknowledged(stripe, stripe, false);
        assertThat(tail.acknowledgedAnythingOnDisk()).isFalse();

        tail.onAcknowledged(2 * stripe, 2 * stripe, true);
        tail.onAcknowledged(3 * stripe, 3 * stripe, false);

        assertThat(tail.owesSync()).isFalse();
        assertThat(tail.acknowledgedAnythingOnDisk()).isTrue();
    }
}
