package io.ecfs.namenode.legacy;

import com.fasterxml.jackson.databind.jsontype.NamedType;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;

/**
 * The names under {@code is} in the log of 6e8d76b, and the records that they stand for today: a record may be renamed,
 * a name here never.
 */
final class LegacyNames {
    private static final NamedType[] ALL = {
        new NamedType(Command.Format.class, "format"),
        new NamedType(Command.Call.class, "call"),
        new NamedType(Command.BeginRecovery.class, "beginRecovery"),
        new NamedType(Command.FinishRecovery.class, "finishRecovery"),
        new NamedType(Command.MarkGarbage.class, "markGarbage"),
        new NamedType(Command.ForgetGarbage.class, "forgetGarbage"),
        new NamedType(Command.AdoptChunk.class, "adoptChunk"),
        new NamedType(Command.BeginRepair.class, "beginRepair"),
        new NamedType(Command.CommitRepair.class, "commitRepair"),
        new NamedType(Command.PurgeStep.class, "purgeStep"),
        new NamedType(Command.RegisterDatanode.class, "registerDatanode"),
        new NamedType(Command.ChangeAdminState.class, "changeDuty"),
        new NamedType(Command.RollKeys.class, "rollKeys"),
        new NamedType(Command.RecordEvents.class, "recordEvents"),
        new NamedType(CommandResult.Refused.class, "refused"),
        new NamedType(CommandResult.Done.class, "done"),
        new NamedType(CommandResult.Status.class, "status"),
        new NamedType(CommandResult.Created.class, "created"),
        new NamedType(CommandResult.Allocated.class, "allocated"),
        new NamedType(CommandResult.Recovery.class, "recovery"),
        new NamedType(CommandResult.Formatted.class, "formatted"),
        new NamedType(CommandResult.Registered.class, "registered"),
        new NamedType(CommandResult.RepairBegun.class, "repairBegun"),
        new NamedType(CommandResult.Purged.class, "purged"),
        new NamedType(NamespaceRequest.Mkdirs.class, "mkdirs"),
        new NamedType(NamespaceRequest.Create.class, "create"),
        new NamedType(NamespaceRequest.AddGroup.class, "addGroup"),
        new NamedType(NamespaceRequest.SealGroup.class, "sealGroup"),
        new NamedType(NamespaceRequest.CompleteFile.class, "completeFile"),
        new NamedType(NamespaceRequest.LeaveOut.class, "leaveOut"),
        new NamedType(NamespaceRequest.AbandonFile.class, "abandonFile"),
        new NamedType(NamespaceRequest.Append.class, "append"),
        new NamedType(NamespaceRequest.Truncate.class, "truncate"),
        new NamedType(NamespaceRequest.Concat.class, "concat"),
        new NamedType(NamespaceRequest.RecoverLease.class, "recoverLease"),
        new NamedType(NamespaceRequest.Rename.class, "rename"),
        new NamedType(NamespaceRequest.Delete.class, "delete"),
        new NamedType(NamespaceRequest.SetMode.class, "setMode"),
        new NamedType(NamespaceRequest.SetOwner.class, "setOwner"),
        new NamedType(NamespaceRequest.SetTimes.class, "setTimes"),
        new NamedType(NamespaceRequest.SetPolicy.class, "setPolicy"),
        new NamedType(NamespaceRequest.ChangeAcl.class, "changeAcl"),
        new NamedType(NamespaceRequest.SetXAttr.class, "setXAttr"),
        new NamedType(NamespaceRequest.RemoveXAttr.class, "removeXAttr"),
        new NamedType(NamespaceRequest.SetQuota.class, "setQuota"),
        new NamedType(NamespaceRequest.SetSafeMode.class, "setSafeMode"),
        new NamedType(NamespaceRequest.PauseMover.class, "pauseMover"),
        new NamedType(NamespaceRequest.SetThrottles.class, "setThrottles"),
        new NamedType(NamespaceRequest.SetAdminState.class, "setDuty")
    };

    private LegacyNames() {}

    static NamedType[] all() {
        return ALL.clone();
    }
}
