/** How long the same key gets the same answer. */
export const keptHours = 24;
/** A running mark that was not renewed for so long was left by a process that died. */
export const heldSeconds = 60;
/** Of headers and body together; a larger answer is not kept. */
export const answerBytes = 1_048_576;
