const small = [
  'zéro',
  'un',
  'deux',
  'trois',
  'quatre',
  'cinq',
  'six',
  'sept',
  'huit',
  'neuf',
  'dix',
  'onze',
  'douze',
  'treize',
  'quatorze',
  'quinze',
  'seize',
  'dix-sept',
  'dix-huit',
  'dix-neuf',
] as const;
const tens = ['', '', 'vingt', 'trente', 'quarante', 'cinquante', 'soixante', 'soixante', 'quatre-vingt', 'quatre-vingt'] as const;

/** @param isLast nothing follows: `quatre-vingts` and `deux cents` have their s then only */
function belowHundred(value: number, isLast: boolean): string {
  if (value < 20) return small[value] as string;
  const [ten, one] = [Math.floor(value / 10), value % 10];
  const name = tens[ten] as string;
  // Those of seventy and ninety go on from ten to nineteen.
  const rest = ten === 7 || ten === 9 ? one + 10 : one;
  if (rest === 0) return ten === 8 && isLast ? `${name}s` : name;
  return (rest === 1 || rest === 11) && ten < 8 ? `${name} et ${small[rest] as string}` : `${name}-${small[rest] as string}`;
}

function belowThousand(value: number, isLast: boolean): string {
  const [hundreds, rest] = [Math.floor(value / 100), value % 100];
  if (hundreds === 0) return belowHundred(rest, isLast);
  const name = hundreds === 1 ? 'cent' : `${small[hundreds] as string} cent`;
  if (rest === 0) return hundreds > 1 && isLast ? `${name}s` : name;
  return `${name} ${belowHundred(rest, isLast)}`;
}

/** A whole number below a thousand million, in French words. */
function numberInFrench(value: number): string {
  const [millions, thousands, rest] = [Math.floor(value / 1_000_000), Math.floor(value / 1000) % 1000, value % 1000];
  const parts = [
    ...(millions > 0 ? [`${belowThousand(millions, true)} million${millions > 1 ? 's' : ''}`] : []),
    ...(thousands > 0 ? [thousands === 1 ? 'mille' : `${belowThousand(thousands, false)} mille`] : []),
    ...(rest > 0 || value === 0 ? [belowThousand(rest, true)] : []),
  ];
  return parts.join(' ');
}

/** An amount of euros in French words: `12.50` is `douze euros et cinquante centimes`. @param amount decimal text */
export function amountInFrench(amount: string): string {
  const [whole = '0', decimals = ''] = amount.split('.');
  const [euros, cents] = [Number(whole), Number(decimals.padEnd(2, '0'))];
  // `un million d’euros`, but `un million cent euros`.
  const unit = euros >= 1_000_000 && euros % 1_000_000 === 0 ? 'd’euros' : euros > 1 ? 'euros' : 'euro';
  const some = `${numberInFrench(euros)} ${unit}`;
  const rest = `${numberInFrench(cents)} centime${cents > 1 ? 's' : ''}`;
  if (cents === 0) return some;
  return euros === 0 ? `${rest} d’euro` : `${some} et ${rest}`;
}
