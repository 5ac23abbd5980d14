package io.ecfs.torture.load;

import io.ecfs.error.EcfsException;
import io.ecfs.torture.history.Answer;
import io.ecfs.torture.history.CallJournal;
import io.ecfs.torture.history.Operation;
import java.io.IOException;

/** Calls of one thread with their lines in the journal. */
final class Calls {
    private final CallJournal journal;
    private final int process;

    Calls(CallJournal journal, int process) {
        this.journal = journal;
        this.process = process;
    }

    interface Body {
        Answer call() throws IOException;
    }

    /** @throws IOException when the journal cannot be written; that the call failed is an answer */
    Answer make(Operation operation, Body body) throws IOException {
        long number = journal.invoked(process, operation);
        Answer answer;
        try {
            answer = body.call();
        } catch (EcfsException e) {
            answer = Answer.of(e);
        } catch (IOException e) {
            answer = new Answer.Unknown(e.toString());
        }
        journal.returned(number, answer);
        return answer;
    }
}
