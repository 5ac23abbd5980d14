package io.ecfs.bench.koh.run;

import io.ecfs.bench.koh.IoKind;
import io.ecfs.bench.koh.Mix;
import io.ecfs.bench.koh.MixComponent;
import io.ecfs.bench.koh.MixDraws;
import io.ecfs.bench.koh.Request;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A process of a mix: its component, its file, and the request that it waits for. For one thread. */
final class MixProcess {
    private final int number;
    private final MixComponent component;
    private final int file;
    private final MixDraws draws;
    private final ByteBuffer target;
    private Request request = Request.metadata(0);
    private boolean underWay;
    private boolean disturbed;
    private long due;
    private boolean late;
    private long drawn;

    private MixProcess(int number, MixComponent component, int file, MixDraws draws) {
        this.number = number;
        this.component = component;
        this.file = file;
        this.draws = draws;
        this.target = ByteBuffer.allocate(component.mostBytes());
    }

    /**
     * The processes of a mix, by the weights of its components, dealt over the files.
     *
     * @param seed of what they do
     */
    static List<MixProcess> of(Mix mix, int processes, int files, long fileBytes, long seed) {
        List<MixProcess> all = new ArrayList<>();
        List<Integer> numbers = numbers(mix.components(), processes);
        for (int i = 0; i < numbers.size(); i++) {
            for (int j = 0; j < numbers.get(i); j++) {
                int number = all.size();
                MixDraws draws = new MixDraws(mix, files, fileBytes, seed + number);
                all.add(new MixProcess(number, mix.components().get(i), number % files, draws));
            }
        }
        return all;
    }

    /** Processes of each component: the whole part of its share, what is left over to the largest rests. */
    static List<Integer> numbers(List<MixComponent> components, int processes) {
        double weights = components.stream().mapToDouble(MixComponent::weight).sum();
        List<Integer> numbers = new ArrayList<>();
        List<Integer> byRest = new ArrayList<>();
        for (int i = 0; i < components.size(); i++) {
            numbers.add((int) Math.floor(processes * components.get(i).weight() / weights));
            byRest.add(i);
        }
        byRest.sort(Comparator.comparingDouble(
                i -> numbers.get(i) - processes * components.get(i).weight() / weights));
        int left = processes - numbers.stream().mapToInt(Integer::intValue).sum();
        for (int i = 0; i < left; i++) {
            numbers.set(byRest.get(i), numbers.get(byRest.get(i)) + 1);
        }
        return numbers;
    }

    /** Draws its next request. */
    Request next() {
        request = draws.next(component, file).request();
        drawn++;
        underWay = true;
        disturbed = false;
        return request;
    }

    void ended() {
        underWay = false;
    }

    int number() {
        return number;
    }

    MixComponent component() {
        return component;
    }

    Request request() {
        return request;
    }

    /** Number of requests that it drew. */
    long drawn() {
        return drawn;
    }

    /** Empty memory for what it reads. */
    ByteBuffer target() {
        return target.clear().limit(request.bytes());
    }

    /** True when the two are under way and one writes what the other reads or writes. */
    boolean meets(MixProcess other, IoKind kind) {
        return other != this
                && other.underWay
                && other.request.kind() == kind
                && other.file == file
                && other.request.position() < request.position() + request.bytes()
                && request.position() < other.request.position() + other.request.bytes();
    }

    /** Marks that others write what it reads. */
    void disturb() {
        disturbed = true;
    }

    boolean disturbed() {
        return disturbed;
    }

    /** When its next request is due; of one without a rate, at once. */
    long due() {
        return due;
    }

    void firstDue(long nanos) {
        due = nanos;
    }

    /** A request with a rate begins; it is late when the one after it is due already. */
    void begun(long now) {
        if (component.isRateLimited()) {
            long interval = component.interval(component.mainBytes()).toNanos();
            late |= now - due > interval;
            due += interval;
        }
    }

    boolean late() {
        return late;
    }
}
