package io.ecfs.namenode.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class StaticGroupsTest {
    @Test
    void bothFormsOfLinesAreRead() {
        StaticGroups groups = StaticGroups.parse(
                List.of("# comment", "", "ada=staff,dev; ben=;eve=dev;", "ops:x:1001:ada,fay", "empty:x:7:"));
        assertThat(groups.of("ada")).contains(List.of("staff", "dev", "ops"));
        assertThat(groups.of("ben")).as("named, and in no group").contains(List.of());
        assertThat(groups.of("eve")).contains(List.of("dev"));
        assertThat(groups.of("fay")).contains(List.of("ops"));
        assertThat(groups.of("gus")).isEmpty();
    }

    @Test
    void aLineThatIsWrongIsNamed() {
        for (String line :
                List.of("ada", "ada:staff", "a b=staff", "ada=st\u202eaff", "=staff", "ada=x;ben", "g:x:1:-rf")) {
            assertThatThrownBy(() -> StaticGroups.parse(List.of("ok=fine", line)))
                    .as(line)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("line 2: ");
        }
    }
}
