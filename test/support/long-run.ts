/**
 * Whether this is a long run (`LONG=on npm test`, by hand): with all files of `test/long`, and with every size, look and repetition of the
 * other tests. Without it, tests take the sizes and looks that find most faults in the least time.
 */
export const longRun = process.env['LONG'] === 'on';
