package io.ecfs.console.command.fault;

import io.ecfs.console.view.TextTable;
import io.ecfs.fault.inject.Machine;
import io.ecfs.fault.inject.Requirements;
import io.ecfs.fault.lab.BudgetForecast;
import io.ecfs.fault.profile.FaultProfile;
import io.ecfs.fault.profile.FaultStep;
import io.ecfs.layout.Policy;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Checks a profile without starting anything. */
@Command(
        name = "validate",
        description = "Check a profile: who is hurt, what every group has left, what the machine must allow. Harms"
                + " nothing and starts nothing: where chunks would lie, it draws as the namenode does.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:it can be run", "1:it cannot be run here, and why"})
final class FaultValidateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ProfileOptions options;

    @Override
    public Integer call() throws Exception {
        FaultProfile profile = options.read(List.of());
        PrintWriter out = spec.commandLine().getOut();
        TextTable table = new TextTable("POLICY", "FAULT", "BEGINS", "LASTS", "VICTIMS", "EVERY GROUP");
        for (Policy policy : profile.policies()) {
            for (BudgetForecast.Row row : BudgetForecast.of(profile, policy)) {
                FaultStep step = row.step();
                table.row(
                        policy,
                        step.fault().word(),
                        step.on()
                                .map(moment -> "on " + TextTable.words(moment).replace(' ', '-'))
                                .or(() -> step.at().map(at -> "at " + at.toMillis() / 1e3 + " s"))
                                .orElse("then"),
                        profile.lasts(step)
                                .map(time -> time.toMillis() / 1e3 + " s")
                                .orElse("until healed"),
                        row.victims(),
                        row.left());
            }
        }
        out.print(table);
        out.println("needs root: " + (Requirements.needsRoot(profile) ? "yes" : "no"));
        List<String> missing = Requirements.missing(profile, Machine.here());
        missing.forEach(why -> out.println("cannot be run here: " + why));
        out.flush();
        return missing.isEmpty() ? 0 : 1;
    }
}
