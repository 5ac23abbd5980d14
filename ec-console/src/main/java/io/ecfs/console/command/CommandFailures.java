package io.ecfs.console.command;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.net.ConnectException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Messages of failed commands: one line that says what failed and what to do. */
final class CommandFailures {
    private CommandFailures() {}

    static String oneLine(Throwable failure) {
        Throwable cause = unwrap(failure);
        String message = cause.getMessage() == null
                ? ""
                : cause.getMessage().lines().findFirst().orElse("");
        if (cause instanceof EcfsException
                || cause instanceof IllegalArgumentException
                || cause instanceof ConnectException) {
            return message;
        }
        if (cause instanceof NoSuchFileException) {
            return "no such file: " + message;
        }
        if (cause instanceof AccessDeniedException) {
            return "access denied: " + message;
        }
        if (cause instanceof InterruptedException) {
            return "interrupted";
        }
        return cause.getClass().getSimpleName() + (message.isEmpty() ? "" : ": " + message);
    }

    /** A command line that cannot be read; names the nearest words, or where the right ones are. */
    static String oneLine(ParameterException failure) {
        String message = failure.getMessage().lines().findFirst().orElse("");
        List<String> nearest =
                failure instanceof UnmatchedArgumentException unmatched ? unmatched.getSuggestions() : List.of();
        if (!nearest.isEmpty()) {
            return message + "; did you mean " + nearest.get(0) + "?";
        }
        String help = failure.getCommandLine().getCommandSpec().qualifiedName() + " --help";
        return message.contains(help) ? message : message + "; see " + help;
    }

    static int exitCode(Throwable failure) {
        Throwable cause = unwrap(failure);
        boolean usage = cause instanceof IllegalArgumentException
                || (cause instanceof EcfsException e && e.code() == ErrorCode.INVALID_ARGUMENT);
        return usage ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.SOFTWARE;
    }

    private static Throwable unwrap(Throwable failure) {
        Throwable at = failure;
        while ((at instanceof CompletionException || at instanceof ExecutionException) && at.getCause() != null) {
            at = at.getCause();
        }
        return at;
    }
}
