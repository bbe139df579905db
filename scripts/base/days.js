// A moment's day in words, such as `lun 30 nov`, as pages write it.
export const dayText = (moment, time = {}) =>
  new Date(moment)
    .toLocaleString(document.documentElement.lang, {
      weekday: "short",
      day: "numeric",
      month: "short",
      ...time,
    })
    .replace(", ", " ");
