import { describe, expect, test } from 'vitest';
import { html } from '../../src/site/html.ts';
import { code } from '../../src/site/parts/code.ts';

const HOSTILE = `"><img src=x onerror=alert(1)></script><!-- ' &quot;`;

describe('a template', () => {
  test('escapes every text, in an attribute too, and leaves out what is nothing', () => {
    const value = "&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&lt;/script&gt;&lt;!-- ' &amp;quot;";
    expect(String(html`<a title="${HOSTILE}">${[HOSTILE, null, undefined, false, 0]}</a>`)).toBe(
      `<a title="${value}">${value}0</a>`,
    );
  });

  test('loses its own indentation, and none of what is put into it', () => {
    const text = 'if (a) {\n    b();\n\n  }';
    const given = html`<div>
      ${code('Example', text)}
    </div>`;
    expect(String(given)).toBe(
      `<div>\n<pre tabindex="0" role="group" aria-label="Example"><code>${text}</code></pre>\n</div>`,
    );
  });
});
