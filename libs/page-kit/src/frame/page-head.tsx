import { addressIn, SafeHtml } from '#http';
import { languages, localeOf, type Language } from '#kernel';
import type { TenantIdentity } from '#tenancy';
import type { VNode } from 'preact';

/** Metadata of an indexed page for search engines and link previews. */
export interface PageSummary {
  /** In the language of the tenant; the other languages are at the same address with a parameter. */
  readonly canonical: string;
  /** The page is one of another site: it has no languages here. */
  readonly isElsewhere?: boolean;
  readonly description: string;
  /** Its image: absolute URL, size in pixels. */
  readonly picture?: { readonly url: string; readonly width: number; readonly height: number };
  /** JSON that is safe inside a script element. */
  readonly structured?: string;
}

interface SummaryProps {
  readonly summary: PageSummary;
  readonly title: string;
  readonly tenant: Pick<TenantIdentity, 'name' | 'language'>;
  readonly language: Language;
}

/** What search engines and link previews read of a page. */
export function SummaryHead({ summary, title, tenant, language }: SummaryProps): VNode {
  const { canonical, description, picture, structured, isElsewhere = false } = summary;
  // Depends on the language only, because the same page answers with and without the parameter.
  const addressOf = (code: Language): string => (isElsewhere || code === tenant.language ? canonical : addressIn(canonical, code));
  const alternates = languages.map((code) => [code, addressOf(code)] as const);
  return (
    <>
      {description && <meta name="description" content={description} />}
      <link rel="canonical" href={addressOf(language)} />
      {!isElsewhere &&
        [...alternates, ['x-default', canonical] as const].map(([code, address]) => (
          <link rel="alternate" hreflang={code} href={address} />
        ))}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={tenant.name} />
      <meta property="og:locale" content={localeOf(language).replace('-', '_')} />
      <meta property="og:title" content={title} />
      <meta property="og:url" content={canonical} />
      {description && <meta property="og:description" content={description} />}
      {picture && (
        <>
          <meta property="og:image" content={picture.url} />
          <meta property="og:image:width" content={String(picture.width)} />
          <meta property="og:image:height" content={String(picture.height)} />
          <meta name="twitter:image" content={picture.url} />
        </>
      )}
      <meta name="twitter:card" content={picture ? 'summary_large_image' : 'summary'} />
      <meta name="twitter:title" content={title} />
      {description && <meta name="twitter:description" content={description} />}
      {structured && (
        <script type="application/ld+json">
          <SafeHtml html={structured} />
        </script>
      )}
    </>
  );
}
