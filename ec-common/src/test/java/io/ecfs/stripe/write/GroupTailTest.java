package io.ecfs.stripe.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.Policy;
import org.junit.jupiter.api.Test;

class GroupTailTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-64k");
    private static final long STRIPE = POLICY.stripeBytes();

    private final GroupTail tail = new GroupTail(POLICY);

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
        tail.onAcknowledged(0, 100, true);
        tail.onAcknowledged(STRIPE, STRIPE, false);
        assertThat(tail.settled()).isZero();

        tail.onAcknowledged(STRIPE, STRIPE + 10, true);

        assertThat(tail.settled()).isEqualTo(STRIPE);
    }

    @Test
    void whatWasOnceOnDiskIsPublishedOnDisk() {
        tail.onAcknowledged(STRIPE, STRIPE, false);
        assertThat(tail.acknowledgedAnythingOnDisk()).isFalse();

        tail.onAcknowledged(2 * STRIPE, 2 * STRIPE, true);
        tail.onAcknowledged(3 * STRIPE, 3 * STRIPE, false);

        assertThat(tail.owesSync()).isFalse();
        assertThat(tail.acknowledgedAnythingOnDisk()).isTrue();
    }

    private void stripeWithRecord() {
        tail.recordSent();
        tail.stripeSent();
    }

    @Test
    void acknowledgedStripesReplaceRecordsThatNobodySynced() {
        stripeWithRecord();
        tail.onAcknowledged(STRIPE, STRIPE, false);
        assertThat(tail.settled()).isEqualTo(STRIPE);
    }

    @Test
    void recordsThatMayBeOnDiskStayUntilTheirStripesAreThere() {
        tail.retainUntilOnDisk();
        stripeWithRecord();
        tail.onAcknowledged(STRIPE, STRIPE, false);
        assertThat(tail.settled()).isZero();
        tail.onAcknowledged(STRIPE, STRIPE, true);
        assertThat(tail.settled()).isEqualTo(STRIPE);
    }

    @Test
    void recordsOfManyStripesWantSettlingBeforeTheNextOne() {
        tail.retainUntilOnDisk();
        for (int stripe = 1; stripe <= GroupTail.MOST_UNSETTLED_STRIPES; stripe++) {
            assertThat(tail.wantsSettling()).isFalse();
            stripeWithRecord();
            tail.onAcknowledged(stripe * STRIPE, stripe * STRIPE, false);
        }
        assertThat(tail.wantsSettling()).isTrue();
        long end = GroupTail.MOST_UNSETTLED_STRIPES * STRIPE;
        tail.onAcknowledged(end, end, true);
        assertThat(tail.wantsSettling()).isFalse();
    }
}
