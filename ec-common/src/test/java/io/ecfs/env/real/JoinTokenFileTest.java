package io.ecfs.env.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.env.Randomness;
import io.ecfs.error.EcfsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JoinTokenFileTest {
    @TempDir
    private Path directory;

    private final Randomness randomness = RealEnvironment.open().randomness();

    @Test
    void itIsMadeOnceForItsOwnerAlone() throws IOException {
        Path file = directory.resolve("home").resolve(JoinTokenFile.NAME);
        assertThat(JoinTokenFile.read(file)).isEmpty();
        JoinTokenFile.readOrCreate(file, randomness);
        String text = Files.readString(file);
        assertThat(text).matches("[0-9a-f]{64}\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        JoinTokenFile.readOrCreate(file, randomness);
        assertThat(Files.readString(file)).isEqualTo(text);
        assertThat(JoinTokenFile.read(file)).isPresent();
    }

    @Test
    void aCopyIsAsClosedAndReplacesNothing() throws IOException {
        Path one = directory.resolve("one");
        Path two = directory.resolve("two");
        JoinTokenFile.readOrCreate(one, randomness);
        JoinTokenFile.copy(one, directory.resolve("home/copy"));
        assertThat(directory.resolve("home/copy")).hasSameTextualContentAs(one);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("home/copy"))))
                .isEqualTo("rw-------");
        JoinTokenFile.readOrCreate(two, randomness);
        String before = Files.readString(two);
        JoinTokenFile.copy(one, two);
        assertThat(Files.readString(two)).isEqualTo(before);
    }

    @Test
    void oneThatOthersMayReadIsRefusedWithTheCommandThatMendsIt() throws IOException {
        Path file = directory.resolve(JoinTokenFile.NAME);
        JoinTokenFile.readOrCreate(file, randomness);
        for (String mode : new String[] {"rw-r--r--", "rw----r--", "rw--w----"}) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
            assertThatThrownBy(() -> JoinTokenFile.read(file))
                    .isInstanceOf(EcfsException.class)
                    .message()
                    .contains(mode)
                    .endsWith("chmod 0600 " + file)
                    .doesNotContain("\n");
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
        assertThat(JoinTokenFile.read(file)).isPresent();
    }

    @Test
    void aFileThatIsNoTokenIsNamed() throws IOException {
        Path file = directory.resolve(JoinTokenFile.NAME);
        JoinTokenFile.readOrCreate(file, randomness);
        Files.write(file, new byte[] {(byte) 0xff, 'x'});
        assertThatThrownBy(() -> JoinTokenFile.read(file))
                .isInstanceOf(EcfsException.class)
                .hasMessageContainingAll(file.toString(), "64 hexadecimal digits");
    }
}
