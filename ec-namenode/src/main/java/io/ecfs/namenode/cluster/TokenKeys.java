package io.ecfs.namenode.cluster;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.datanode.TokenKey;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The rolling secrets behind block tokens, oldest first. The newest stays even when it has expired, so that ids never
 * repeat.
 */
public final class TokenKeys {
    private static final byte[] PREFIX = "tokenKey/".getBytes(StandardCharsets.UTF_8);

    private TokenKeys() {}

    public static List<TokenKey> all(View view) {
        List<TokenKey> keys = new ArrayList<>();
        view.scan(Table.META, PREFIX, Keys.afterPrefix(PREFIX), (key, value) -> {
            RowReader row = new RowReader(value);
            TokenKey found = new TokenKey(row.i32(), row.blob(), row.i64());
            row.end();
            return keys.add(found);
        });
        return keys;
    }

    /** @throws EcfsException {@code INVALID_ARGUMENT} when a key with this id or a higher one was there before */
    public static void roll(Transaction transaction, TokenKey key, long nowMillis) throws EcfsException {
        for (TokenKey before : all(transaction)) {
            if (before.id() >= key.id()) {
                throw new EcfsException(
                        ErrorCode.INVALID_ARGUMENT, "token key " + key.id() + " comes after key " + before.id());
            }
            if (before.expiresAtMillis() <= nowMillis) {
                transaction.delete(Table.META, key(before.id()));
            }
        }
        transaction.put(
                Table.META,
                key(key.id()),
                new RowWriter()
                        .i32(key.id())
                        .blob(key.secret())
                        .i64(key.expiresAtMillis())
                        .bytes());
    }

    private static byte[] key(int id) {
        return new RowWriter().raw(PREFIX).i32(id).bytes();
    }
}
