// What JSON carries as it is passes; anything else becomes the serializer's text, in a box.
// Called as a function with the serializer (serialize.js) and its bound; gives (value) -> value.
(function carrying(serialize, maxChars) {
  return (value) => {
    switch (typeof value) {
      case "string":
        if (value.length <= maxChars) return value;
        break;
      case "object":
        if (value === null) return value;
        break;
      case "number":
      case "boolean":
      case "bigint":
        return value;
      case "undefined": // document.all says so of itself, and is an object
        return undefined;
    }
    return { $: serialize(value, maxChars) };
  };
})
