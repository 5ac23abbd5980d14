package io.ecfs.webhdfs;

/** HTTP methods that have operations. */
enum Verb {
    GET("GetOpParam"),
    PUT("PutOpParam"),
    POST("PostOpParam"),
    DELETE("DeleteOpParam");

    private final String hadoopClass;

    Verb(String hadoopClass) {
        this.hadoopClass = hadoopClass;
    }

    /** Refusal of an unknown operation, with HDFS's message: clients recognize old servers by it. */
    IllegalArgumentException unknown(String operation) {
        return Parameter.invalid(
                Query.OP, "No enum constant org.apache.hadoop.hdfs.web.resources." + hadoopClass + ".Op." + operation);
    }
}
