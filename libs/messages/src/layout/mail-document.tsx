import { documentOf, SafeHtml } from '#http';
import { themeColours, usualAccent, type Language, type ThemeColours } from '#kernel';
import type { VNode } from 'preact';
import { MailColours, useMailColours } from './mail-colours.js';
import { bare, styles, type MailBlock } from './mail-blocks.js';

const { font, small } = styles;

/** The content id of the logo in the HTML of a mail. */
export const logoPicture = 'logo';

/** Optional styles: dark mode and narrow screens. Mails are readable in programs that ignore them. */
const narrow =
  '.page{padding:0!important}.card{padding:24px 20px!important;border-radius:0!important;' +
  'border-left:0!important;border-right:0!important}.facts th{width:76px!important}';
const sheetOf = (light: ThemeColours, dark: ThemeColours): string => `
:root{color-scheme:light dark;supported-color-schemes:light dark}
.words p,.words ul,.words ol,.words blockquote,.words h2,.words h3,.words h4{margin:0 0 8px}
.words h2,.words h3,.words h4{font-size:16px}
.words a{color:${light.accent}}
@media (max-width:480px){${narrow}}
@media (prefers-color-scheme:dark){
.page{background-color:#181318!important}.card{background-color:#221b22!important;border-color:${dark.fill} #3b303a #3b303a!important}
.ink{color:#f2eaef!important}.soft{color:#b9abb4!important}.link,.words a,.venue{color:${dark.accent}!important}
.accent{background-color:${dark.fill}!important;color:${dark.onFill}!important}
.note{background-color:#3a2c12!important;color:#f3d79c!important}
.rule{border-color:#3b303a!important}.words{border-color:${dark.fill}!important}}
`;

/** Comments that only Outlook reads, which knows no largest width: a table that keeps the mail narrow. */
const outlook = {
  start: '<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0"><tr><td><![endif]-->',
  end: '<!--[if mso]></td></tr></table><![endif]-->',
};

const cardStyle = 'padding:32px 36px 16px;background-color:#ffffff;border:1px solid #e3dacd;border-radius:8px';

interface MailDocument extends VenueNameProps {
  readonly language: Language;
  readonly subject: string;
  readonly title: string;
  readonly subtitle: string | null | undefined;
  /** Colour of the venue; null or absent: the usual one. */
  readonly accent: string | null | undefined;
  /** Whether the logo is attached. */
  readonly hasLogo: boolean;
  readonly blocks: readonly MailBlock[];
  /** Lines below the card. */
  readonly foot: readonly MailBlock[];
}

/** The HTML of a mail, a whole document. It loads nothing from the network. */
export function mailDocument({ language, subject, title, subtitle, name, url, accent, hasLogo, blocks, foot }: MailDocument): string {
  const [light, dark] = [false, true].map((isDark) => themeColours(accent ?? usualAccent, isDark)) as [ThemeColours, ThemeColours];
  return documentOf(
    <MailColours.Provider value={light}>
      <html lang={language} dir="ltr">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="supported-color-schemes" content="light dark" />
          <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
          <title>{subject}</title>
          <style>{sheetOf(light, dark)}</style>
        </head>
        <body class="page" style="margin:0;padding:0;background-color:#faf7f2;-webkit-text-size-adjust:100%">
          <table role="presentation" {...bare} width="100%" class="page" style="width:100%;background-color:#faf7f2">
            <tr>
              <td class="page" align="center" style="padding:24px 12px">
                <SafeHtml html={outlook.start} />
                <table role="presentation" {...bare} width="100%" style="width:100%;max-width:600px;text-align:left">
                  <tr>
                    <td class="card" style={`${cardStyle};border-top:6px solid ${light.fill}`}>
                      {hasLogo && <Logo />}
                      <VenueName name={name} url={url} />
                      <Heading title={title} subtitle={subtitle} />
                      {blocks.map(({ html }) => html)}
                    </td>
                  </tr>
                  <tr>
                    <td style="padding:16px 20px">
                      {foot.map(({ html }) => (
                        <p class="soft" dir="auto" style={`margin:0;text-align:center;${small};font-size:13px`}>
                          {html}
                        </p>
                      ))}
                    </td>
                  </tr>
                </table>
                <SafeHtml html={outlook.end} />
              </td>
            </tr>
          </table>
        </body>
      </html>
    </MailColours.Provider>,
  );
}

/** Only the height is set, so that mail programs keep the proportions. */
function Logo(): VNode {
  const style = 'display:block;height:48px;max-width:240px;margin:0 0 10px;border:0;border-radius:4px;background-color:#ffffff';
  return <img src={`cid:${logoPicture}`} height="48" alt="" style={style} />;
}

interface VenueNameProps {
  /** Of the venue. */
  readonly name: string;
  /** Its agenda; '' when there is no link to it. */
  readonly url: string;
}

function VenueName({ name, url }: VenueNameProps): VNode {
  const { accent } = useMailColours();
  return (
    <p class="venue" dir="auto" style={`margin:0 0 8px;${font};font-size:15px;line-height:22px;font-weight:600;color:${accent}`}>
      {url === '' ? (
        name
      ) : (
        <a class="venue" href={url} style={`color:${accent};text-decoration:none`}>
          {name}
        </a>
      )}
    </p>
  );
}

function Heading({ title, subtitle }: Pick<MailDocument, 'title' | 'subtitle'>): VNode {
  const style =
    `margin:0 0 ${subtitle ? 4 : 20}px;font-family:Georgia,'Times New Roman',serif;font-size:28px;line-height:34px;` +
    'font-weight:700;color:#2a2326;word-break:break-word';
  return (
    <>
      <h1 class="ink" dir="auto" style={style}>
        {title}
      </h1>
      {subtitle && (
        <p class="soft" dir="auto" style={`margin:0 0 20px;${font};font-size:17px;line-height:24px;color:#645a5f`}>
          {subtitle}
        </p>
      )}
    </>
  );
}
