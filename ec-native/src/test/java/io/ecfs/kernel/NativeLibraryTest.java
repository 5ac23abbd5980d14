package io.ecfs.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.code.kernel.KernelProvider;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.code.kernel.Program;
import io.ecfs.code.kernel.Schedule;
import java.io.File;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NativeLibraryTest {
    @Test
    void kernelsInCAreFoundAndPreferredToTheJavaKernel() {
        Map<String, KernelProvider.Loading> all = Kernels.all();
        assertThat(all).containsOnlyKeys("native", "isal", "java");
        assertThat(all.values()).allMatch(loading -> loading instanceof KernelProvider.Loading.Loaded);
        assertThat(Kernels.choose(Kernels.FASTEST).name())
                .isEqualTo(all.keySet().iterator().next())
                .isNotEqualTo("java");
        assertThat(Kernels.choose("isal").description())
                .matches("ISA-L \\(libisal\\.so\\.2[.0-9]*, (avx512|avx2|avx|sse|neon|base)\\)");
        assertThat(Kernels.choose("native").description()).matches("ECFS native \\((avx512|avx2)(-gfni)?\\)");
        assertThat(Kernels.choose("java").name()).isEqualTo("java");
    }

    @Test
    void aKernelWhoseBytesDifferIsNotOffered() {
        GaloisKernel java = Kernels.java();
        assertThat(SelfCheck.difference(Kernels.choose("native"), java)).isEmpty();
        GaloisKernel wrong = new GaloisKernel() {
            @Override
            public String name() {
                return "wrong";
            }

            @Override
            public String description() {
                return "wrong";
            }

            @Override
            public Program prepare(Schedule schedule) {
                return (inputs, outputs) -> {
                    java.prepare(schedule).run(inputs, outputs);
                    outputs[0].put(outputs[0].position(), (byte) (outputs[0].get(outputs[0].position()) + 1));
                };
            }
        };
        assertThat(SelfCheck.difference(wrong, java).orElseThrow())
                .startsWith("its self-check failed: wrong and the Java kernel differ for coefficients 0 to 31");
    }

    @Test
    void givesTheReasonWhenIsalIsMissing() {
        assertThat(NativeLibrary.isalFailure()).isEmpty();
        assertThat(NativeCalls.openIsal("libisal-that-is-not-there.so.2"))
                .startsWith("ISA-L cannot be opened: libisal-that-is-not-there.so.2");
        assertThat(NativeCalls.openIsal("libc.so.6")).startsWith("libc.so.6: has no ec_init_tables");
        assertThat(Kernels.choose("isal").description()).contains("libisal.so.2");
    }

    @Test
    void givesTheReasonOnAnotherProcessor() {
        assertThat(NativeLibrary.load("Linux", "riscv64"))
                .contains("this build has no native library for Linux on riscv64");
    }

    @Test
    void leavesNoFileBehind() {
        assertThat(NativeLibrary.failure()).isEmpty();
        assertThat(new File(System.getProperty("java.io.tmpdir")).list())
                .noneMatch(name -> name.startsWith("libecfskernel"));
    }
}
