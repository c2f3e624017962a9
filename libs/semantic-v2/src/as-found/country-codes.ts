import { forEachLanguage, localeOf } from '#kernel';
import { isISO31661Alpha2 } from 'class-validator';
import { folded } from '../shared/folded.js';

/** The codes of ISO 3166-1: three letters, then two. */
const codes = `
  ABWAW AFGAF AGOAO AIAAI ALAAX ALBAL ANDAD AREAE ARGAR ARMAM ASMAS ATAAQ ATFTF ATGAG AUSAU AUTAT AZEAZ BDIBI BELBE BENBJ BESBQ BFABF
  BGDBD BGRBG BHRBH BHSBS BIHBA BLMBL BLRBY BLZBZ BMUBM BOLBO BRABR BRBBB BRNBN BTNBT BVTBV BWABW CAFCF CANCA CCKCC CHECH CHLCL CHNCN
  CIVCI CMRCM CODCD COGCG COKCK COLCO COMKM CPVCV CRICR CUBCU CUWCW CXRCX CYMKY CYPCY CZECZ DEUDE DJIDJ DMADM DNKDK DOMDO DZADZ ECUEC
  EGYEG ERIER ESHEH ESPES ESTEE ETHET FINFI FJIFJ FLKFK FRAFR FROFO FSMFM GABGA GBRGB GEOGE GGYGG GHAGH GIBGI GINGN GLPGP GMBGM GNBGW
  GNQGQ GRCGR GRDGD GRLGL GTMGT GUFGF GUMGU GUYGY HKGHK HMDHM HNDHN HRVHR HTIHT HUNHU IDNID IMNIM INDIN IOTIO IRLIE IRNIR IRQIQ ISLIS
  ISRIL ITAIT JAMJM JEYJE JORJO JPNJP KAZKZ KENKE KGZKG KHMKH KIRKI KNAKN KORKR KWTKW LAOLA LBNLB LBRLR LBYLY LCALC LIELI LKALK LSOLS
  LTULT LUXLU LVALV MACMO MAFMF MARMA MCOMC MDAMD MDGMG MDVMV MEXMX MHLMH MKDMK MLIML MLTMT MMRMM MNEME MNGMN MNPMP MOZMZ MRTMR MSRMS
  MTQMQ MUSMU MWIMW MYSMY MYTYT NAMNA NCLNC NERNE NFKNF NGANG NICNI NIUNU NLDNL NORNO NPLNP NRUNR NZLNZ OMNOM PAKPK PANPA PCNPN PERPE
  PHLPH PLWPW PNGPG POLPL PRIPR PRKKP PRTPT PRYPY PSEPS PYFPF QATQA REURE ROURO RUSRU RWARW SAUSA SDNSD SENSN SGPSG SGSGS SHNSH SJMSJ
  SLBSB SLESL SLVSV SMRSM SOMSO SPMPM SRBRS SSDSS STPST SURSR SVKSK SVNSI SWESE SWZSZ SXMSX SYCSC SYRSY TCATC TCDTD TGOTG THATH TJKTJ
  TKLTK TKMTM TLSTL TONTO TTOTT TUNTN TURTR TUVTV TWNTW TZATZ UGAUG UKRUA UMIUM URYUY USAUS UZBUZ VATVA VCTVC VENVE VGBVG VIRVI VNMVN
  VUTVU WLFWF WSMWS YEMYE ZAFZA ZMBZM ZWEZW
`;

const pairs = codes
  .split(/\s+/)
  .filter(Boolean)
  .map((pair): [three: string, two: string] => [pair.slice(0, 3), pair.slice(3)]);

/** Names in use that are not those of the languages below. */
const otherNames: Readonly<Record<string, string>> = {
  UK: 'GB',
  'Great Britain': 'GB',
  Britain: 'GB',
  England: 'GB',
  Scotland: 'GB',
  Wales: 'GB',
  'Northern Ireland': 'GB',
  'U.S.A.': 'US',
  'U.S.': 'US',
  'United States of America': 'US',
  America: 'US',
  'The Netherlands': 'NL',
  Holland: 'NL',
  'Czech Republic': 'CZ',
  'Republic of Ireland': 'IE',
  'South Korea': 'KR',
  'Russian Federation': 'RU',
  Türkiye: 'TR',
};

/** Codes by every name: two and three letters, and the names of the country in the languages of the service. */
const byName = new Map<string, string>();
for (const [three, two] of pairs) byName.set(folded(three), two).set(folded(two), two);
forEachLanguage((language) => {
  const names = new Intl.DisplayNames(localeOf(language), { type: 'region' });
  for (const [, two] of pairs) byName.set(folded(names.of(two) ?? two), two);
});
for (const [name, two] of Object.entries(otherNames)) byName.set(folded(name), two);

/**
 * The ISO 3166-1 alpha-2 code of a country that is written as a code of two or three letters in any case, or as a name.
 * @returns undefined for other texts
 */
export function countryCodeOf(text: string): string | undefined {
  const code = text.length <= 100 ? byName.get(folded(text)) : undefined;
  return code !== undefined && isISO31661Alpha2(code) ? code : undefined;
}
