package io.ecfs.plan.write;

import java.util.List;

/**
 * The seven times of a write that clients and datanodes record, each with the terms that may make it up. Client
 * overhead is three of them, as in formula 2 of the paper: CT is copying, MT asking, DT transferring.
 */
public enum WritePart {
    /** User bytes into cells, with their checksums. */
    COPYING(WriteStep.CO),
    /** Calls to the namenode. */
    ASKING(WriteStep.CO),
    /** The data to the master, and its answer back; nothing when the client encodes. */
    TRANSFERRING(WriteStep.CO),
    /** Work of the master beside all other parts; nothing when the client encodes. */
    MANAGING(WriteStep.MP),
    /** The erasure code alone. */
    ENCODING(WriteStep.PC),
    /** Cells to the datanodes, and their answers back. */
    DISTRIBUTING(WriteStep.DD),
    /** The datanode that answers last, from the arrival of its cell to its answer. */
    SERVING(WriteStep.SP);

    private final WriteStep step;

    WritePart(WriteStep step) {
        this.step = step;
    }

    public WriteStep step() {
        return step;
    }

    /** The terms that may have a coefficient in this part. */
    public List<CostTerm> terms() {
        return switch (this) {
            case COPYING -> List.of(CostTerm.WRITE, CostTerm.BYTE, CostTerm.HASTE);
            case ASKING -> List.of(CostTerm.CALL, CostTerm.CALL_WAIT, CostTerm.CALL_TRIP);
            case TRANSFERRING -> List.of(CostTerm.STRIPE, CostTerm.BYTE, CostTerm.TO_MASTER, CostTerm.ROUND_TRIP);
            case MANAGING -> List.of(CostTerm.STRIPE, CostTerm.BYTE, CostTerm.HASTE);
            case ENCODING -> List.of(CostTerm.STRIPE, CostTerm.BYTE, CostTerm.CODED_BYTE);
            case DISTRIBUTING ->
                List.of(
                        CostTerm.STRIPE,
                        CostTerm.MESSAGE,
                        CostTerm.SENT_BYTE,
                        CostTerm.WIRE,
                        CostTerm.FORWARDED,
                        CostTerm.ROUND_TRIP,
                        CostTerm.GIGABIT);
            case SERVING -> List.of(CostTerm.STRIPE, CostTerm.CELL_BYTE);
        };
    }

    /** True for the parts that only a write through a master has. */
    public boolean ofMasterOnly() {
        return this == TRANSFERRING || this == MANAGING;
    }
}
