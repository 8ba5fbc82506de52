import React, { useState } from "react";
import { createRoot } from "react-dom/client";
import { closestCenter, DndContext, PointerSensor, useSensor, useSensors } from "@dnd-kit/core";
import { arrayMove, SortableContext, useSortable, verticalListSortingStrategy } from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";

function Card({ id }) {
  const { attributes, listeners, setNodeRef, transform, transition } = useSortable({ id });
  const style = { transform: CSS.Transform.toString(transform), transition, height: 40 };
  return <li ref={setNodeRef} style={style} {...attributes} {...listeners}>{id}</li>;
}

function Board() {
  const [cards, setCards] = useState(["Ada", "Bob", "Eve"]);
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { delay: 250, tolerance: 5 } }));
  const end = ({ active, over }) => {
    if (over && active.id !== over.id) {
      setCards((now) => arrayMove(now, now.indexOf(active.id), now.indexOf(over.id)));
    }
  };
  return <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={end}>
    <SortableContext items={cards} strategy={verticalListSortingStrategy}>
      <ul id="cards">{cards.map((id) => <Card key={id} id={id} />)}</ul>
    </SortableContext>
  </DndContext>;
}

createRoot(document.getElementById("app")).render(<Board />);
