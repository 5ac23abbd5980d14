package io.ecfs.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FunctionTableTest {
    sealed interface Shape {
        record Square(int side) implements Shape {}

        record Point() implements Shape {}

        sealed interface Round extends Shape {
            record Circle(int radius) implements Round {}
        }
    }

    @Test
    void eachRecordGetsTheResultOfItsCase() {
        FunctionTable<Shape, Integer, Integer> width = FunctionTable.<Shape, Integer, Integer>of(Shape.class)
                .on(Shape.Square.class, (scale, square) -> scale * square.side())
                .on(Shape.Round.Circle.class, (scale, circle) -> 2 * scale * circle.radius())
                .always(0, Shape.Point.class)
                .build();
        assertThat(width.apply(10, new Shape.Square(3))).isEqualTo(30);
        assertThat(width.apply(10, new Shape.Round.Circle(3))).isEqualTo(60);
        assertThat(width.apply(10, new Shape.Point())).isZero();
    }

    @Test
    void actionsRunForTheRecordsThatAreNotIgnored() {
        FunctionTable<Shape, List<Integer>, Void> table = FunctionTable.<Shape, List<Integer>, Void>of(Shape.class)
                .run(Shape.Square.class, (sides, square) -> sides.add(square.side()))
                .ignore(Shape.Round.Circle.class, Shape.Point.class)
                .build();
        List<Integer> sides = new ArrayList<>();
        table.apply(sides, new Shape.Square(3));
        table.apply(sides, new Shape.Round.Circle(5));
        assertThat(sides).containsExactly(3);
    }

    @Test
    void aRecordWithoutACaseIsNamed() {
        FunctionTable.Builder<Shape, Void, String> builder = FunctionTable.<Shape, Void, String>of(Shape.class)
                .always("flat", Shape.Square.class, Shape.Point.class);
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("without a handler: [FunctionTableTest$Shape$Round$Circle]");
    }

    @Test
    void aRecordWithTwoCasesIsNamed() {
        FunctionTable.Builder<Shape, Void, String> builder = FunctionTable.<Shape, Void, String>of(Shape.class)
                .always("flat", Shape.Square.class, Shape.Point.class, Shape.Round.Circle.class)
                .ignore(Shape.Square.class);
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("with two, or of another type: [FunctionTableTest$Shape$Square]");
    }
}
