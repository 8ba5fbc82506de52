// A function of the serializer (serialize.js) and its limit. It returns (value) -> value. JSON
// values pass unchanged. Any other value becomes the serializer's text, in a box.
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
      case "undefined": // document.all has this type too, although it is an object
        return undefined;
    }
    return { $: serialize(value, maxChars) };
  };
})
