package io.ecfs.bench;

import io.ecfs.layout.Policy;

/** {@code pread}: each thread reads pieces of one length at random places of one file, for some seconds. */
final class PositionalRead implements Workload {
    @Override
    public Session begin(Stage stage, Policy policy) throws Exception {
        SequentialFiles file = SequentialFiles.written(stage, policy, "pread", 1);
        return new Session() {
            @Override
            public void repeat(int number) throws Exception {
                for (int length : stage.plan().preadBytes()) {
                    for (int threads : stage.plan().threads(1, 8)) {
                        measure(new RandomReads(stage, stage.client(), file, length, threads), number);
                    }
                }
            }

            @Override
            public void end() throws Exception {
                file.delete();
            }
        };
    }

    private static void measure(RandomReads reads, int number) throws Exception {
        reads.stage()
                .doing("pread of " + reads.length() + " bytes, " + reads.files().policy() + ", " + reads.threads()
                        + " threads, repetition " + number);
        reads.warmUp();
        reads.rate("pread", reads.what(number), reads.stage().measure(() -> reads.read(number)));
    }
}
