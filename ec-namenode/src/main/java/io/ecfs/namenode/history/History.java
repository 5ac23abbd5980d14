package io.ecfs.namenode.history;

import io.ecfs.layout.GroupId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.HistoryEvent;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.message.report.RepairTrace;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.cluster.LevelInForce;
import io.ecfs.namenode.form.EventForms;
import io.ecfs.namenode.form.IncidentForms;
import io.ecfs.namenode.form.Numbers;
import io.ecfs.namenode.legacy.rows.LegacyRows;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The rows of the history: the newest events, the incidents that they add up to, and the chunks of each. A cause has
 * one incident that goes on, found by the cause; it goes on until it is healed, and as long as the cause itself lasts
 * no other begins without damage.
 */
public final class History {
    private static final int VERSION = 1;
    /** Of rows of events, incidents and chunks; version 1 of 6e8d76b is read by {@link LegacyRows}. */
    private static final int RECORD_VERSION = 2;

    private static final int INCIDENT = 'i';
    private static final int CHUNK = 'c';
    private static final int GOING_ON = 'g';
    private static final byte[] BOUNDS = "history".getBytes(StandardCharsets.UTF_8);

    /** Most old events that one new event evicts, after the bound was lowered. */
    private static final int FORGET_AT_ONCE = 100;

    private History() {}

    /** Sets the bounds, from the next event on. */
    public static void bound(Transaction transaction, HistoryBounds bounds) {
        if (!bounds.equals(bounds(transaction))) {
            transaction.put(
                    Table.META,
                    BOUNDS,
                    new RowWriter()
                            .u8(VERSION)
                            .number(bounds.events())
                            .number(bounds.incidents())
                            .number(bounds.chunks())
                            .bytes());
        }
    }

    private static HistoryBounds bounds(View view) {
        byte[] bytes = view.get(Table.META, BOUNDS);
        if (bytes == null) {
            return HistoryBounds.DEFAULT;
        }
        RowReader row = new RowReader(bytes);
        row.version(VERSION, "history");
        HistoryBounds bounds = new HistoryBounds(row.smallNumber(), row.smallNumber(), row.smallNumber());
        row.end();
        return bounds;
    }

    /**
     * Adds an event, and what it means to the incident it belongs to. The beginning of an incident that goes on already
     * is no event.
     */
    public static void record(Transaction transaction, long atMillis, ClusterEvent event) {
        HistoryBounds bounds = bounds(transaction);
        Optional<Incident> going = IncidentFold.causeOf(event).flatMap(cause -> goingOn(transaction, cause));
        if (going.isPresent() && event instanceof ClusterEvent.IncidentOpened) {
            return;
        }
        boolean over = going.filter(i -> i.healedMillis().isPresent()).isPresent();
        Optional<Incident> begun = going.isEmpty() || over ? IncidentFold.beginning(event) : Optional.empty();
        Optional<Incident> incident = begun.isPresent() ? begun.map(b -> begin(transaction, b, bounds)) : going;
        incident.ifPresent(i -> put(transaction, after(transaction, i, event, atMillis, bounds)));
        append(transaction, new StoredEvent(atMillis, incident.map(Incident::id).orElse(0L), event), bounds);
    }

    /**
     * Adds a change of a setting, from {@link FeatureLevel#RECORDED_SETTINGS} on: releases before it cannot read such
     * an event.
     */
    public static void recordSetting(Transaction transaction, long atMillis, ClusterEvent event) {
        if (LevelInForce.reached(transaction, FeatureLevel.RECORDED_SETTINGS)) {
            record(transaction, atMillis, event);
        }
    }

    /** Events after the one with number {@code after}, oldest first. */
    public static List<HistoryEvent> events(View view, long after, int limit) {
        List<HistoryEvent> events = new ArrayList<>();
        view.scan(Table.EVENTS, Keys.number(after + 1), null, (key, row) -> {
            StoredEvent event = decode(StoredEvent.class, row, History::storedEvent);
            events.add(new HistoryEvent(new RowReader(key).i64(), event.atMillis(), event.incident(), event.event()));
            return events.size() < limit;
        });
        return events;
    }

    /** Incidents after the one with number {@code after}, oldest first. */
    public static List<Incident> incidents(View view, long after, int limit) {
        List<Incident> incidents = new ArrayList<>();
        view.scan(Table.INCIDENTS, incidentKey(after + 1), Keys.afterPrefix(prefix(INCIDENT)), (key, row) -> {
            incidents.add(decode(Incident.class, row, IncidentForms::incident));
            return incidents.size() < limit;
        });
        return incidents;
    }

    public static Optional<Incident> incident(View view, long id) {
        return Optional.ofNullable(view.get(Table.INCIDENTS, incidentKey(id)))
                .map(row -> decode(Incident.class, row, IncidentForms::incident));
    }

    /** Those that are not healed, and those whose cause lasts, by cause. */
    public static List<Incident> goingOn(View view) {
        List<Incident> all = new ArrayList<>();
        for (int kind : List.of(GOING_ON, LegacyRows.GOING_ON)) {
            byte[] prefix = prefix(kind);
            view.scan(Table.INCIDENTS, prefix, Keys.afterPrefix(prefix), (key, row) -> {
                incident(view, new RowReader(row).i64()).ifPresent(all::add);
                return true;
            });
        }
        return all;
    }

    /** The chunks of an incident in the order of group and index, from behind (group, index) on. */
    public static List<RepairTrace> chunks(View view, long incident, long afterGroup, int afterIndex, int limit) {
        List<RepairTrace> chunks = new ArrayList<>();
        byte[] prefix = chunksOf(incident);
        byte[] from = afterGroup <= 0 ? prefix : Keys.after(chunkKey(incident, new GroupId(afterGroup), afterIndex));
        view.scan(Table.INCIDENTS, from, Keys.afterPrefix(prefix), (key, row) -> {
            chunks.add(decode(RepairTrace.class, row, IncidentForms::trace));
            return chunks.size() < limit;
        });
        return chunks;
    }

    /** @param incident 0: none */
    record StoredEvent(long atMillis, long incident, ClusterEvent event) {}

    private static void append(Transaction transaction, StoredEvent event, HistoryBounds bounds) {
        long number = Counter.LAST_EVENT.next(transaction);
        transaction.put(Table.EVENTS, Keys.number(number), encode(event, History::storedEvent));
        long forgotten = Counter.FORGOTTEN_EVENT.of(transaction);
        long tooMany = Math.min(number - forgotten - bounds.events(), FORGET_AT_ONCE);
        for (long i = 1; i <= tooMany; i++) {
            transaction.delete(Table.EVENTS, Keys.number(forgotten + i));
        }
        if (tooMany > 0) {
            Counter.FORGOTTEN_EVENT.add(transaction, tooMany);
        }
    }

    private static Optional<Incident> goingOn(View view, IncidentCause cause) {
        return Optional.ofNullable(view.get(Table.INCIDENTS, causeKey(cause)))
                .or(() -> Optional.ofNullable(view.get(Table.INCIDENTS, LegacyRows.causeKey(cause))))
                .flatMap(row -> incident(view, new RowReader(row).i64()));
    }

    private static Incident begin(Transaction transaction, Incident begun, HistoryBounds bounds) {
        if (Counter.INCIDENTS.of(transaction) >= bounds.incidents()) {
            forgetOne(transaction);
        }
        Counter.INCIDENTS.add(transaction, 1);
        return Incident.opened(
                Counter.LAST_INCIDENT.next(transaction), begun.cause(), begun.detectedMillis(), begun.deadMillis());
    }

    private static Incident after(
            Transaction transaction, Incident incident, ClusterEvent event, long atMillis, HistoryBounds bounds) {
        Incident after = IncidentFold.after(incident, event, atMillis);
        Optional<RepairTrace> first = IncidentFold.chunkOf(event);
        if (first.isEmpty()) {
            return after;
        }
        byte[] key = chunkKey(incident.id(), first.get().group(), first.get().index());
        byte[] row = transaction.get(Table.INCIDENTS, key);
        if (row == null && after.traces() >= bounds.chunks()) {
            return after;
        }
        RepairTrace trace = row == null ? first.get() : decode(RepairTrace.class, row, IncidentForms::trace);
        transaction.put(Table.INCIDENTS, key, encode(IncidentFold.after(trace, event, atMillis), IncidentForms::trace));
        return row == null ? IncidentFold.traced(after) : after;
    }

    private static void put(Transaction transaction, Incident incident) {
        transaction.put(Table.INCIDENTS, incidentKey(incident.id()), encode(incident, IncidentForms::incident));
        byte[] going = causeKey(incident.cause());
        if (incident.healedMillis().isPresent() && incident.causeGone()) {
            dropPointer(transaction, incident);
        } else {
            transaction.put(Table.INCIDENTS, going, Keys.number(incident.id()));
            dropLegacyPointer(transaction, incident.cause());
        }
    }

    private static void dropPointer(Transaction transaction, Incident incident) {
        boolean own = goingOn(transaction, incident.cause())
                .filter(going -> going.id() == incident.id())
                .isPresent();
        if (own) {
            transaction.delete(Table.INCIDENTS, causeKey(incident.cause()));
            dropLegacyPointer(transaction, incident.cause());
        }
    }

    private static void dropLegacyPointer(Transaction transaction, IncidentCause cause) {
        byte[] key = LegacyRows.causeKey(cause);
        if (transaction.get(Table.INCIDENTS, key) != null) {
            transaction.delete(Table.INCIDENTS, key);
        }
    }

    /** The oldest of those that are over, planned ones first; then of those that are healed; at worst of all. */
    private static void forgetOne(Transaction transaction) {
        List<Incident> all = incidents(transaction, 0, Integer.MAX_VALUE);
        Predicate<Incident> healed = incident -> incident.healedMillis().isPresent();
        Predicate<Incident> over = healed.and(Incident::causeGone);
        Predicate<Incident> planned = incident -> incident.cause().planned();
        Incident oldest = Stream.of(over.and(planned), over, healed)
                .flatMap(some -> all.stream().filter(some).limit(1))
                .findFirst()
                .orElse(all.get(0));
        dropPointer(transaction, oldest);
        List<byte[]> keys = new ArrayList<>();
        byte[] prefix = chunksOf(oldest.id());
        transaction.scan(Table.INCIDENTS, prefix, Keys.afterPrefix(prefix), (key, row) -> keys.add(key.clone()));
        keys.forEach(key -> transaction.delete(Table.INCIDENTS, key));
        transaction.delete(Table.INCIDENTS, incidentKey(oldest.id()));
        Counter.INCIDENTS.add(transaction, -1);
    }

    private static byte[] prefix(int kind) {
        return new RowWriter().u8(kind).bytes();
    }

    private static byte[] incidentKey(long id) {
        return new RowWriter().u8(INCIDENT).i64(id).bytes();
    }

    private static byte[] chunksOf(long incident) {
        return new RowWriter().u8(CHUNK).i64(incident).bytes();
    }

    private static byte[] chunkKey(long incident, GroupId group, int index) {
        return new RowWriter()
                .raw(chunksOf(incident))
                .i64(group.value())
                .u8(index)
                .bytes();
    }

    private static byte[] causeKey(IncidentCause cause) {
        RowWriter key = new RowWriter().u8(GOING_ON);
        Numbers.CAUSE.write(key, cause.kind());
        return key.text(cause.datanode()
                        .map(Object::toString)
                        .or(cause::namenode)
                        .orElse(""))
                .i32(cause.volume().map(v -> v.value()).orElse(0))
                .bytes();
    }

    private static void storedEvent(RowWriter out, StoredEvent stored) {
        EventForms.EVENTS.write(out.i64(stored.atMillis()).i64(stored.incident()), stored.event());
    }

    private static StoredEvent storedEvent(RowReader in) {
        return new StoredEvent(in.i64(), in.i64(), EventForms.EVENTS.read(in));
    }

    private static <T> byte[] encode(T value, BiConsumer<RowWriter, T> form) {
        RowWriter row = new RowWriter().u8(RECORD_VERSION);
        form.accept(row, value);
        return row.bytes();
    }

    private static <T> T decode(Class<T> kind, byte[] bytes, Function<RowReader, T> form) {
        if (LegacyRows.wrote(bytes)) {
            return LegacyRows.record(kind, bytes);
        }
        RowReader row = new RowReader(bytes);
        row.version(RECORD_VERSION, kind.getSimpleName());
        T value = form.apply(row);
        row.end();
        return value;
    }
}
