/** Twice a code with what may stand around it; longer texts are no code and stay as they are. */
const longest = 300;
const between = /[\s\p{Cc}\uFEFF]+/u;
const around = /^[\s\p{Cc}\uFEFF]+|[\s\p{Cc}\uFEFF]+$/gu;
/** Identifier of a symbology (AIM, ISO/IEC 15424) before the data: `]Q1` says that a QR code follows. */
const symbology = /^\][A-Za-z][0-9A-Za-z]/;
/** A code, with the padding that some scanners and libraries add to base64. */
const code = /^([\w-]{24}|[\w-]{28})={0,2}:([\w-]{86})={0,2}$/;

/**
 * What a scanner read. Hand scanners type a code like a keyboard: they append line breaks, tabs or spaces, frame it with STX and ETX, put
 * the identifier of the symbology before it, and type it twice; programs between send `:` as `%3A` or pad the parts with `=`. These are
 * taken away where what remains is a code for certain.
 */
export function scannedText(sent: string): string {
  if (sent.length > longest) return sent;
  const plain = sent.replaceAll(around, '').replace(symbology, '').replaceAll(around, '');
  const [first, ...others] = sent.split(between).filter(Boolean).map(codeIn);
  return first !== undefined && others.every((other) => other === first) ? first : plain;
}

function codeIn(part: string): string | undefined {
  const text = once(once(part).replace(symbology, '')).replaceAll(/%3a/gi, ':').replaceAll(/%3d/gi, '=');
  const [, data, signature] = code.exec(text) ?? [];
  return data && signature && `${data}:${signature}`;
}

/** The first half of a text that consists of two equal ones. */
function once(text: string): string {
  const half = text.slice(0, text.length / 2);
  return half + half === text ? half : text;
}
