package io.ecfs.datanode.server;

import io.ecfs.datanode.store.Volume;
import io.ecfs.dispatch.FunctionTable;
import io.ecfs.env.Environment;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.Address;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.message.datanode.DatanodeReport;
import io.ecfs.wire.Caller;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The conversation with one namenode.
 *
 * <pre>
 *   UNKNOWN --Register--> REGISTERING --Registered--> REGISTERED: heartbeats, full reports, changes
 *      ^                       | failed, RegisterAgain     |
 *      +-----------------------+---------------------------+ RegisterAgain
 * </pre>
 *
 * At most one heartbeat, one page, one change report and one question for orders are under way at a time. Changes stay
 * in their queue until the namenode has noted them; a registration empties the queue, because the full report behind it
 * says all of it. Owner thread: the control plane's.
 */
final class NamenodeLink {
    private static final Logger LOG = LoggerFactory.getLogger(NamenodeLink.class);

    private enum State {
        UNKNOWN,
        REGISTERING,
        REGISTERED
    }

    private static final FunctionTable<DatanodeReport, NamenodeLink, Void> ON_FAILURE =
            FunctionTable.<DatanodeReport, NamenodeLink, Void>of(DatanodeReport.class)
                    .run(DatanodeReport.AwaitOrders.class, (link, poll) -> link.awaiting = false)
                    .run(
                            DatanodeReport.Register.class,
                            (link, register) -> link.to(State.UNKNOWN, "registration_failed"))
                    .run(DatanodeReport.Heartbeat.class, (link, heartbeat) -> link.beating = false)
                    .run(DatanodeReport.FullReport.class, NamenodeLink::failedPage)
                    .run(DatanodeReport.ChangeReport.class, (link, report) -> link.sendingChanges = false)
                    .build();

    /** Progress of a full report. */
    record ReportAt(VolumeId volume, long reportId, int page, Optional<ChunkId> after) {}

    private final Address address;
    private final ControlPlane plane;
    private final Caller caller;
    private final Environment environment;
    private final Scheduler scheduler;
    private final ControlSettings settings;
    private final ArrayDeque<ChunkChange> changes = new ArrayDeque<>();
    private final TreeSet<VolumeId> toReport = new TreeSet<>();
    private State state = State.UNKNOWN;
    // Answers to what was asked in an earlier one are not listened to.
    private long conversation;
    private boolean beating;
    private boolean awaiting;
    private boolean reporting;
    private boolean sendingChanges;
    private String trouble = "";

    NamenodeLink(
            Address address,
            ControlPlane plane,
            Caller caller,
            Environment environment,
            Scheduler scheduler,
            ControlSettings settings) {
        this.address = address;
        this.plane = plane;
        this.caller = caller;
        this.environment = environment;
        this.scheduler = scheduler;
        this.settings = settings;
    }

    void start() {
        Duration interval = settings.heartbeatInterval();
        scheduler.scheduleWithFixedDelay(Duration.ZERO, interval, this::beat);
        long reportMillis = settings.fullReportInterval().toMillis();
        // Namenodes and datanodes that start together do not report together for ever.
        Duration first = Duration.ofMillis(
                1 + reportMillis / 2 + Math.floorMod(environment.randomness().nextLong(), reportMillis / 2 + 1));
        scheduler.scheduleWithFixedDelay(first, settings.fullReportInterval(), this::reportAll);
    }

    boolean registered() {
        return state == State.REGISTERED;
    }

    /** Queues a change for the next {@link #sendChanges}. */
    void changed(ChunkChange change) {
        if (state != State.REGISTERED) {
            return; // the full report after the registration will say it
        }
        if (changes.size() >= settings.changeBound()) {
            LOG.warn("event=changes_dropped namenode={} changes={} instead=full_report", address, changes.size());
            beginAnew();
            reportAll();
            return;
        }
        changes.add(change);
    }

    void reportFully(VolumeId volume) {
        toReport.add(volume);
        reportNext();
    }

    private void beat() {
        if (state == State.UNKNOWN) {
            register();
        } else if (state == State.REGISTERED) {
            if (!beating) {
                heartbeat();
            }
            reportNext();
            sendChanges();
        }
    }

    private void register() {
        to(State.REGISTERING, "register");
        ask(plane.registration(Volume.LAYOUT_VERSION), reply -> {
            if (reply instanceof DatanodeReply.Registered registered) {
                joined(registered);
            } else {
                to(State.UNKNOWN, "asked_to_come_again");
            }
        });
    }

    private void joined(DatanodeReply.Registered registered) {
        plane.join(registered).whenComplete((done, failure) -> {
            if (failure != null) {
                troubled(EcfsException.of(failure));
                to(State.UNKNOWN, "refused_here");
                return;
            }
            to(State.REGISTERED, "registered");
            changes.clear();
            reportAll();
            beat();
        });
    }

    private void heartbeat() {
        beating = true;
        ask(plane.heartbeat(), reply -> {
            beating = false;
            if (reply instanceof DatanodeReply.HeartbeatReply orders) {
                plane.onOrders(orders, this);
                if (orders.term() > 0) {
                    awaitOrders();
                }
            } else {
                registerAgain();
            }
        });
    }

    /** Has one long poll open at the leader; when it fails, the next heartbeat finds out who leads. */
    private void awaitOrders() {
        if (awaiting || state != State.REGISTERED) {
            return;
        }
        awaiting = true;
        ask(plane.awaitOrders(settings.callTimeout().dividedBy(2)), reply -> {
            awaiting = false;
            if (reply instanceof DatanodeReply.RegisterAgain) {
                registerAgain();
                return;
            }
            if (reply instanceof DatanodeReply.HeartbeatReply orders && orders.term() > 0) {
                plane.onOrders(orders, this);
                awaitOrders();
            }
        });
    }

    private void reportAll() {
        if (state == State.REGISTERED) {
            plane.volumes().numbered().forEach((id, served) -> toReport.add(id));
            reportNext();
        }
    }

    private void reportNext() {
        toReport.removeIf(volume -> !plane.volumes().numbered().containsKey(volume));
        if (state != State.REGISTERED || reporting || toReport.isEmpty()) {
            return;
        }
        reporting = true;
        long reportId = environment.randomness().nextLong() & Long.MAX_VALUE;
        reportPage(new ReportAt(toReport.pollFirst(), reportId, 0, Optional.empty()));
    }

    private void reportPage(ReportAt at) {
        DatanodeReport.FullReport page = plane.page(at);
        ask(page, reply -> {
            if (!(reply instanceof DatanodeReply.Noted)) {
                registerAgain();
            } else if (page.last()) {
                reporting = false;
                reportNext();
            } else {
                reportPage(new ReportAt(at.volume(), at.reportId(), at.page() + 1, ControlPlane.lastOf(page)));
            }
        });
    }

    void sendChanges() {
        if (state != State.REGISTERED || sendingChanges || changes.isEmpty()) {
            return;
        }
        sendingChanges = true;
        List<ChunkChange> batch = changes.stream().limit(settings.changeBatch()).toList();
        ask(plane.changeReport(batch), reply -> {
            sendingChanges = false;
            if (reply instanceof DatanodeReply.Noted) {
                batch.forEach(change -> changes.remove());
                sendChanges();
            } else {
                registerAgain();
            }
        });
    }

    private void registerAgain() {
        to(State.UNKNOWN, "asked_to_register_again");
        register();
    }

    /** Asks, and hands the answer on unless the conversation began anew meanwhile. */
    private void ask(DatanodeReport report, Consumer<DatanodeReply> onReply) {
        long asked = conversation;
        caller.call(address, report, settings.callTimeout()).whenComplete((envelope, failure) -> {
            DatanodeReply reply = null;
            EcfsException problem = failure == null ? null : EcfsException.of(failure);
            if (failure == null) {
                try {
                    reply = envelope.expect(DatanodeReply.class);
                    envelope.release();
                } catch (EcfsException e) {
                    problem = e;
                }
            }
            Optional<DatanodeReply> answer = Optional.ofNullable(reply);
            Optional<EcfsException> refusal = Optional.ofNullable(problem);
            scheduler.execute(() -> {
                if (asked == conversation) {
                    refusal.ifPresent(e -> failed(report, e));
                    answer.ifPresent(a -> answered(a, onReply));
                }
            });
        });
    }

    private void answered(DatanodeReply reply, Consumer<DatanodeReply> onReply) {
        boolean served = reply instanceof DatanodeReply.HeartbeatReply || reply instanceof DatanodeReply.Noted;
        if (served && !trouble.isEmpty()) {
            LOG.info("event=namenode_answers_again namenode={}", address);
            trouble = "";
        }
        onReply.accept(reply);
    }

    /** Releases what a failed report occupied; the next heartbeat tries again. */
    private void failed(DatanodeReport report, EcfsException e) {
        if (!(report instanceof DatanodeReport.AwaitOrders)) { // heartbeats show whether there is trouble
            troubled(e);
        }
        ON_FAILURE.apply(this, report);
    }

    private void failedPage(DatanodeReport.FullReport page) {
        reporting = false;
        toReport.add(page.volume());
    }

    /** Tells a new trouble once. */
    private void troubled(EcfsException e) {
        boolean refused = e.code() == ErrorCode.WRONG_CLUSTER || e.code() == ErrorCode.INCOMPATIBLE_VERSION;
        String now = e.code().name();
        if (now.equals(trouble)) {
            return;
        }
        trouble = now;
        if (refused) {
            LOG.error("event=namenode_refuses namenode={} error=\"{}\"", address, e.getMessage());
        } else if (e.code() == ErrorCode.SAFE_MODE) {
            LOG.info("event=namenode_not_ready namenode={} reason=\"{}\"", address, e.getMessage());
        } else {
            LOG.warn("event=namenode_trouble namenode={} code={} error=\"{}\"", address, e.code(), e.getMessage());
        }
    }

    private void to(State next, String reason) {
        if (next == state) {
            return;
        }
        LOG.debug("event=link_state namenode={} from={} to={} reason={}", address, state, next, reason);
        state = next;
        if (next == State.UNKNOWN) {
            beginAnew();
        }
    }

    /** Forgets what was under way and what a full report will say. */
    private void beginAnew() {
        conversation++;
        beating = false;
        awaiting = false;
        reporting = false;
        sendingChanges = false;
        changes.clear();
        toReport.clear();
    }
}
