/** How long the same key gets the same answer, in hours. */
export const keptHours = 24;
/** A running request that was not renewed for this time belonged to a process that died. */
export const heldSeconds = 60;
/** Maximum size of headers and body together; larger answers are not stored. */
export const answerBytes = 1_048_576;
