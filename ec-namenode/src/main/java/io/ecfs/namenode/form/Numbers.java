package io.ecfs.namenode.form;

import io.ecfs.error.ErrorCode;
import io.ecfs.layout.EncodingSide;
import io.ecfs.message.AdminState;
import io.ecfs.message.namespace.AclEntry;
import io.ecfs.message.namespace.NamespaceRequest.ChangeAcl;
import io.ecfs.message.namespace.NamespaceRequest.ControlConversion;
import io.ecfs.message.namespace.NamespaceRequest.DropRing;
import io.ecfs.message.report.ClusterReport.DatanodeState;
import io.ecfs.message.report.Conversion;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.message.ring.RingVolume;
import java.util.List;

/**
 * The numbers of the constants that the log and rows hold. A number is never reused; a golden file in the tests holds
 * them.
 */
public final class Numbers {
    public static final EnumNumbers<AdminState.State> ADMIN_STATE = EnumNumbers.of(AdminState.State.class)
            .at(1, AdminState.State.IN_SERVICE)
            .at(2, AdminState.State.DECOMMISSIONING)
            .at(3, AdminState.State.DECOMMISSIONED)
            .at(4, AdminState.State.IN_MAINTENANCE)
            .complete();

    public static final EnumNumbers<DatanodeState> DATANODE_STATE = EnumNumbers.of(DatanodeState.class)
            .at(1, DatanodeState.HEALTHY)
            .at(2, DatanodeState.SUSPECTED)
            .at(3, DatanodeState.DEAD)
            .complete();

    public static final EnumNumbers<IncidentCause.Kind> CAUSE = EnumNumbers.of(IncidentCause.Kind.class)
            .at(1, IncidentCause.Kind.DATANODE_DEAD)
            .at(2, IncidentCause.Kind.VOLUME_FAILED)
            .at(3, IncidentCause.Kind.CHUNKS_CORRUPT)
            .at(4, IncidentCause.Kind.CHUNKS_MISSING)
            .at(5, IncidentCause.Kind.CHUNKS_ABSENT)
            .at(6, IncidentCause.Kind.DATANODE_LEAVING)
            .at(7, IncidentCause.Kind.DATANODE_RESTING)
            .at(8, IncidentCause.Kind.VOLUMES_UNEVEN)
            .at(9, IncidentCause.Kind.VOLUME_READ_ONLY)
            .at(10, IncidentCause.Kind.READS_COSTLY)
            .at(11, IncidentCause.Kind.NAMENODE_DIVERGED)
            .at(12, IncidentCause.Kind.GROUPS_DISPUTED)
            .at(13, IncidentCause.Kind.FILES_REWRITTEN)
            .at(14, IncidentCause.Kind.VOLUME_LEAVING)
            .at(15, IncidentCause.Kind.RING_CLOCK_OFF)
            .complete();

    public static final EnumNumbers<ChangeAcl.Change> ACL_CHANGE = EnumNumbers.of(ChangeAcl.Change.class)
            .at(1, ChangeAcl.Change.MODIFY)
            .at(2, ChangeAcl.Change.REMOVE)
            .at(3, ChangeAcl.Change.REMOVE_DEFAULT)
            .at(4, ChangeAcl.Change.REMOVE_ALL)
            .at(5, ChangeAcl.Change.SET)
            .complete();

    public static final EnumNumbers<AclEntry.Scope> ACL_SCOPE = EnumNumbers.of(AclEntry.Scope.class)
            .at(1, AclEntry.Scope.ACCESS)
            .at(2, AclEntry.Scope.DEFAULT)
            .complete();

    public static final EnumNumbers<AclEntry.Type> ACL_TYPE = EnumNumbers.of(AclEntry.Type.class)
            .at(1, AclEntry.Type.USER)
            .at(2, AclEntry.Type.GROUP)
            .at(3, AclEntry.Type.MASK)
            .at(4, AclEntry.Type.OTHER)
            .complete();

    public static final EnumNumbers<EncodingSide> ENCODING_SIDE = EnumNumbers.of(EncodingSide.class)
            .at(1, EncodingSide.CLIENT)
            .at(2, EncodingSide.MASTER)
            .at(3, EncodingSide.AUTO)
            .complete();

    public static final EnumNumbers<Conversion.State> CONVERSION = EnumNumbers.of(Conversion.State.class)
            .at(1, Conversion.State.COUNTING)
            .at(2, Conversion.State.RUNNING)
            .at(3, Conversion.State.DONE)
            .at(4, Conversion.State.FAILED)
            .at(5, Conversion.State.PAUSED)
            .at(6, Conversion.State.CANCELLED)
            .complete();

    public static final EnumNumbers<ControlConversion.Control> CONVERSION_CONTROL = EnumNumbers.of(
                    ControlConversion.Control.class)
            .at(1, ControlConversion.Control.PAUSE)
            .at(2, ControlConversion.Control.RESUME)
            .at(3, ControlConversion.Control.CANCEL)
            .complete();

    public static final EnumNumbers<RingVolume.Duty> RING_DUTY = EnumNumbers.of(RingVolume.Duty.class)
            .at(1, RingVolume.Duty.ACTIVE)
            .at(2, RingVolume.Duty.SPARE)
            .at(3, RingVolume.Duty.LEAVING)
            .complete();

    public static final EnumNumbers<DropRing.Remaining> RING_REMAINING = EnumNumbers.of(DropRing.Remaining.class)
            .at(0, DropRing.Remaining.REFUSE)
            .at(1, DropRing.Remaining.MOVE)
            .at(2, DropRing.Remaining.KEEP)
            .complete();

    /** Of refusals. */
    public static final EnumNumbers<ErrorCode> ERROR = EnumNumbers.of(ErrorCode.class)
            .at(1, ErrorCode.INVALID_ARGUMENT)
            .at(2, ErrorCode.NOT_FOUND)
            .at(3, ErrorCode.ALREADY_EXISTS)
            .at(4, ErrorCode.PARENT_NOT_DIRECTORY)
            .at(5, ErrorCode.IS_A_DIRECTORY)
            .at(6, ErrorCode.NOT_A_DIRECTORY)
            .at(7, ErrorCode.NOT_EMPTY)
            .at(8, ErrorCode.ACCESS_DENIED)
            .at(9, ErrorCode.UNSUPPORTED)
            .at(10, ErrorCode.QUOTA_EXCEEDED)
            .at(11, ErrorCode.LEASE_CONFLICT)
            .at(12, ErrorCode.FILE_CHANGED)
            .at(13, ErrorCode.NOT_LEADER)
            .at(14, ErrorCode.SAFE_MODE)
            .at(15, ErrorCode.BUSY)
            .at(16, ErrorCode.NO_SPACE)
            .at(17, ErrorCode.TIMEOUT)
            .at(18, ErrorCode.CONNECTION_LOST)
            .at(19, ErrorCode.UNREACHABLE)
            .at(20, ErrorCode.CHUNK_MISSING)
            .at(21, ErrorCode.CHUNK_CORRUPT)
            .at(22, ErrorCode.FENCED)
            .at(23, ErrorCode.TOKEN_REFUSED)
            .at(24, ErrorCode.VOLUME_FAILED)
            .at(25, ErrorCode.VOLUME_FULL)
            .at(26, ErrorCode.VOLUME_READ_ONLY)
            .at(27, ErrorCode.GROUP_UNREADABLE)
            .at(28, ErrorCode.MALFORMED)
            .at(29, ErrorCode.WRONG_CLUSTER)
            .at(30, ErrorCode.INCOMPATIBLE_VERSION)
            .at(31, ErrorCode.INTERNAL)
            .at(32, ErrorCode.SESSION_EXPIRED)
            .at(33, ErrorCode.CHUNK_INCOMPLETE)
            .at(34, ErrorCode.DUPLICATE_CALL)
            .complete();

    private Numbers() {}

    public static List<EnumNumbers<?>> all() {
        return List.of(
                ADMIN_STATE,
                DATANODE_STATE,
                CAUSE,
                ACL_CHANGE,
                ACL_SCOPE,
                ACL_TYPE,
                ENCODING_SIDE,
                CONVERSION,
                CONVERSION_CONTROL,
                RING_DUTY,
                RING_REMAINING,
                ERROR);
    }
}
