package io.ecfs.namenode.context;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.namespace.NamespaceReply.NamenodeState;
import io.ecfs.message.namespace.NamespaceRequest.GetNamenodeState;
import java.util.concurrent.CompletableFuture;

/** A port to the other namenodes. Called from the event thread; the answer may come on any. */
public interface Peers {
    /** Reaches no namenode. */
    Peers NONE = (namenode, question) ->
            CompletableFuture.failedFuture(new EcfsException(ErrorCode.UNREACHABLE, "no way to namenode " + namenode));

    CompletableFuture<NamenodeState> ask(String namenode, GetNamenodeState question);
}
