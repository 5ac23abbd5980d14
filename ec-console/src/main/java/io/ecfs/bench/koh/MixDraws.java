package io.ecfs.bench.koh;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Draws the operations of a mix; the same seed gives the same ones.
 *
 * <p>A random position is a multiple of its block. A sequential block begins where the last sequential one of its
 * component ended in its file, and at 0 when it would pass the file's end; it is a multiple of the mix's smallest
 * block.
 *
 * <p>Not for several threads.
 */
public final class MixDraws {
    private record Place(MixComponent component, int file) {}

    private final List<MixComponent> components;
    private final double[] weightUpTo;
    private final int files;
    private final long fileBytes;
    private final SplittableRandom random;
    private final Map<Place, Long> ends = new HashMap<>();

    /**
     * @param files of the set, each of {@code fileBytes}
     * @throws IllegalArgumentException when a file does not hold the largest block
     */
    public MixDraws(Mix mix, int files, long fileBytes, long seed) {
        if (files < 1) {
            throw new IllegalArgumentException("a mix needs at least 1 file, got " + files);
        }
        if (fileBytes < mix.mostBytes()) {
            throw new IllegalArgumentException("files of mix " + mix.word() + " must have at least " + mix.mostBytes()
                    + " bytes, got " + fileBytes);
        }
        this.components = mix.components();
        this.weightUpTo = new double[components.size()];
        double sum = 0;
        for (int i = 0; i < weightUpTo.length; i++) {
            sum += components.get(i).weight();
            weightUpTo[i] = sum;
        }
        this.files = files;
        this.fileBytes = fileBytes;
        this.random = new SplittableRandom(seed);
    }

    /** The next operation of any component, by their weights. */
    public MixOperation next() {
        double at = random.nextDouble() * weightUpTo[weightUpTo.length - 1];
        int found = Arrays.binarySearch(weightUpTo, at);
        return next(components.get(found >= 0 ? found + 1 : -found - 1));
    }

    /** The next operation of a process of one component, in any file of the set. */
    public MixOperation next(MixComponent component) {
        return next(component, random.nextInt(files));
    }

    /** The next operation of a process of one component that has a file of its own. */
    public MixOperation next(MixComponent component, int file) {
        if (random.nextDouble() >= component.data()) {
            return new MixOperation(component, Request.metadata(file), AccessPattern.RANDOM);
        }
        IoKind kind = random.nextDouble() < component.reads() ? IoKind.READ : IoKind.WRITE;
        AccessPattern pattern =
                random.nextDouble() < component.sequential() ? AccessPattern.SEQUENTIAL : AccessPattern.RANDOM;
        int bytes = component.bytes(random.nextDouble());
        long position = pattern == AccessPattern.RANDOM
                ? random.nextLong(fileBytes / bytes) * bytes
                : sequential(new Place(component, file), bytes);
        return new MixOperation(component, new Request(kind, file, position, bytes), pattern);
    }

    private long sequential(Place place, int bytes) {
        long position = ends.getOrDefault(place, 0L);
        if (position + bytes > fileBytes) {
            position = 0;
        }
        ends.put(place, position + bytes);
        return position;
    }
}
