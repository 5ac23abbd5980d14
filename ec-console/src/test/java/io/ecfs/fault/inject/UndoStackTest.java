package io.ecfs.fault.inject;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UndoStackTest {
    private final UndoStack stack = new UndoStack();
    private final List<String> undone = new ArrayList<>();

    private UndoStack.Entry push(String what) throws IOException, InterruptedException {
        return stack.push(what, () -> undone.add(what));
    }

    @Test
    void theLastIsUndoneFirstAndEachOnce() throws IOException, InterruptedException {
        push("first");
        UndoStack.Entry second = push("second");
        push("third");
        second.run();
        second.run();
        assertThat(stack.size()).isEqualTo(2);
        assertThat(stack.close()).isEmpty();
        second.run();
        assertThat(undone).containsExactly("second", "third", "first");
        assertThat(stack.close()).isEmpty();
    }

    @Test
    void afterTheEndAFaultIsUndoneAsSoonAsItWasInjected() throws IOException, InterruptedException {
        stack.close();
        push("late");
        assertThat(undone).containsExactly("late");
        assertThat(stack.size()).isZero();
    }

    @Test
    void whatCannotBeUndoneDoesNotKeepTheOthersFromBeingUndone() throws IOException, InterruptedException {
        push("first");
        stack.push("mount", () -> {
            throw new IOException("busy");
        });
        push("third");
        assertThat(stack.close()).containsExactly("mount: busy");
        assertThat(undone).containsExactly("third", "first");
    }
}
