import type { Language, Text } from '#kernel';
import { texts } from './locales/api-document.texts.js';

const withoutScript: Text = texts.localized('readerPage.withoutScript');

/** A page that shows the API document with Swagger UI; it loads files from this host only. */
export function readerPage(place: string, language: Language): string {
  const heading = escaped(texts.translate(language, 'readerPage.title', { place }));
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading}</title>
<link rel="stylesheet" href="/api/v2/docs/swagger-ui.css">
<link rel="icon" href="data:,">
</head>
<body>
<div id="api"><noscript>${withoutScript[language]} <a href="/api/v2/openapi.json">/api/v2/openapi.json</a></noscript></div>
<script src="/api/v2/docs/swagger-ui-bundle.js"></script>
<script src="/api/v2/docs/reader.js"></script>
</body>
</html>
`;
}

/** Starts Swagger UI, without its validator, which would call another host. */
export const readerScript = `SwaggerUIBundle({
  url: '/api/v2/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
  requestSnippetsEnabled: true,
});
`;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
