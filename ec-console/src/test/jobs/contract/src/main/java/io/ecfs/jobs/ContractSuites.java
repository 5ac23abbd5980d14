package io.ecfs.jobs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.VersionInfo;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/**
 * Runs suites of JUnit 4 and prints what became of each case: {@code passed}, {@code failed}, {@code aborted} (an
 * assumption does not hold) or {@code ignored}, then its name. The release of Hadoop and the class behind {@code
 * ecfs://} come first.
 */
public final class ContractSuites {
    private ContractSuites() {}

    /** {@code CLASS…}: those with the suites nested in them. */
    public static void main(String[] classes) throws ClassNotFoundException, IOException {
        FileSystem files = FileSystem.get(EcfsContract.uri(), new Configuration());
        System.out.println(
                "hadoop " + VersionInfo.getVersion() + " " + files.getClass().getSimpleName());
        List<Class<?>> suites = new ArrayList<>();
        for (String name : classes) {
            Class<?>[] nested = Class.forName(name).getDeclaredClasses();
            Arrays.sort(nested, Comparator.comparing(Class::getSimpleName));
            suites.addAll(Arrays.asList(nested));
        }
        JUnitCore junit = new JUnitCore();
        junit.addListener(new Printed());
        Result result = junit.run(suites.toArray(Class<?>[]::new));
        System.exit(result.wasSuccessful() ? 0 : 1);
    }

    private static final class Printed extends RunListener {
        private boolean passes;

        @Override
        public void testStarted(Description test) {
            passes = true;
        }

        @Override
        public void testFailure(Failure failure) {
            passes = false;
            print("failed", failure.getDescription());
            System.out.println(failure.getTrace());
        }

        @Override
        public void testAssumptionFailure(Failure failure) {
            passes = false;
            print("aborted", failure.getDescription());
            System.out.println("because of " + failure.getMessage());
        }

        @Override
        public void testIgnored(Description test) {
            print("ignored", test);
        }

        @Override
        public void testFinished(Description test) {
            if (passes) {
                print("passed", test);
            }
        }

        /** A suite that fails before its first case has no method. */
        private static void print(String what, Description test) {
            System.out.println(what + " " + test.getTestClass().getSimpleName() + "." + test.getMethodName());
        }
    }
}
