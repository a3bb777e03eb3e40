/** Whole addresses of the wrong kind. */
export const HOSTILE_URLS = [
  ...[
    'http://127.0.0.1:{port}/',
    'http://hooks.example.com/',
    'HTTP://localhost:{port}/',
    '//127.0.0.1:{port}/',
  ],
  ...[
    'https:127.0.0.1:{port}',
    'https:/127.0.0.1:{port}/',
    'https:///127.0.0.1:{port}/',
    'https:\\\\127.0.0.1:{port}\\',
  ],
  ...[
    'file:///etc/passwd',
    'ftp://127.0.0.1:{port}/',
    'gopher://127.0.0.1:{port}/_',
    'data:text/plain,x',
    'unix:/run/x',
  ],
  ...[
    'wss://127.0.0.1:{port}/',
    'javascript:alert(1)',
    '127.0.0.1:{port}',
    'https://',
    'https://:{port}/',
    '',
  ],
  ...[
    'https://127.0.0.1:99999/',
    ' https://127.0.0.1:{port}/',
    'ht\ntps://127.0.0.1:{port}/',
    'https://\ud800:{port}/',
  ],
] as const;

/** What names of others may lead to. */
export const HOSTILE_ANSWERS: readonly string[][] = [
  ['127.0.0.1'],
  ['0.0.0.0'],
  ['10.0.0.5'],
  ['192.168.1.10'],
  ['169.254.169.254'],
  ['100.64.0.1'],
  ['168.63.129.16'],
  ['::1'],
  ['::'],
  ['fd00:ec2::254'],
  ['fe80::1'],
  ['fe80::1%lo'],
  ['::1%lo'],
  ['::ffff:127.0.0.1'],
  ['::ffff:7f00:1'],
  ['::ffff:10.0.0.1'],
  ['::127.0.0.1'],
  ['64:ff9b::7f00:1'],
  ['64:ff9b:1::7f00:1'],
  ['2002:7f00:1::'],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['8.8.8.8', '127.0.0.1'],
  ['127.0.0.1', '8.8.8.8'],
  ['2606:4700::1111', '8.8.8.8', '::1'],
  ['8.8.8.8', '1.1.1.1', '::ffff:192.168.0.1'],
  ['127.0.0.1', '::1'],
  // No addresses at all, or in a spelling that is not the usual one.
  ['localhost'],
  ['127.1'],
  ['2130706433'],
  ['0x7f.0.0.1'],
  ['0177.0.0.1'],
  [''],
  ['127.0.0.1 '],
];

/** Addresses that deliveries may go to, so that not everything is refused. */
export const HARMLESS_URLS = [
  ...[
    'https://hooks.example.com/in',
    'https://hooks.example.com:8443/in?tenant=1&x=%2F',
    'HTTPS://Hooks.Example.COM/',
  ],
  ...[
    'https://hooks.example.com./',
    'https://a.b.c.d.example.co.uk/',
    'https://xn--mnchen-3ya.example/',
    'https://münchen.example/',
  ],
  ...[
    'https://localhost.example.com/',
    'https://internal.example.com/',
    'https://127.0.0.1.example.com/',
    'https://10.example.com/',
  ],
  ...[
    'https://8.8.8.8/',
    'https://1.1.1.1:8443/',
    'https://134744072/',
    'https://172.32.0.1/',
    'https://172.15.255.255/',
  ],
  ...[
    'https://100.63.255.255/',
    'https://100.128.0.1/',
    'https://169.253.0.1/',
    'https://192.167.1.1/',
    'https://11.0.0.1/',
  ],
  ...[
    'https://126.255.255.255/',
    'https://128.0.0.1/',
    'https://198.17.0.1/',
    'https://198.20.0.1/',
    'https://223.255.255.255/',
  ],
  ...[
    'https://[2606:4700::1111]/',
    'https://[2a00:1450:4001::8]:8443/',
    'https://[64:ff9b::808:808]/',
    'https://[2002:808:808::1]/',
  ],
  ...[
    'https://hooks.example.com/@127.0.0.1',
    'https://hooks.example.com/?to=https://127.0.0.1/',
    'https://168.63.129.17/',
  ],
] as const;
