// The encoding of a file, found from its letters as programs of many countries save them.

import { expect, test } from 'vitest';
import { openDecoder } from '../../packages/tables/src/decoder.ts';
import { ENCODINGS, type Encoding } from '../../packages/tables/src/encoding-names.ts';
import { findEncoding } from '../../packages/tables/src/encodings.ts';
import { encoded } from './encoded.ts';

const TEXTS: Readonly<Record<string, string>> = {
  German: 'Name,Ort,Straße\nJürgen Müller,Köln,Große Straße 1\nBjörn Weiß,Düsseldorf,Ährenweg 2\n',
  French:
    'Nom,Société,Ville\nHélène Lefèvre,Théâtre Français,Orléans\nFrançois Noël,Crédit,Besançon\n',
  Spanish: 'Nombre,Ciudad\nBegoña Muñoz,Málaga\nJosé Ángel Núñez,León\n',
  Portuguese: 'Nome,Cidade\nJoão Conceição,São Paulo\nInês Simões,Brasília\n',
  Swedish: 'Namn,Ort\nÅsa Sjögren,Malmö\nPär Åkerström,Västerås\n',
  Polish: 'Imię,Miasto,Ulica\nZbigniew Wójcik,Łódź,Świętokrzyska\nGrażyna Żółć,Kraków,Długa\n',
  Czech: 'Jméno,Město\nJiří Dvořák,Plzeň\nLukáš Růžička,Ústí nad Labem\nŽaneta Němcová,Třebíč\n',
  Hungarian: 'Név,Város\nErzsébet Kovács,Győr\nBenedek Szűcs,Debrecen\nZoltán Erdős,Érd\n',
  Romanian: 'Nume,Oraş\nŞtefan Ţepeş,Braşov\nIoana Mărgineanu,Târgovişte\n',
  Croatian: 'Ime,Grad\nŽeljko Šarić,Čakovec\nĐurđa Kovačić,Šibenik\n',
  Turkish: 'Ad,Şehir\nÇağrı Yıldız,İstanbul\nGülşen Öztürk,Muğla\nIşık Doğan,Diyarbakır\n',
  Lithuanian: 'Vardas,Miestas\nŽydrūnė Šimkutė,Šiauliai\nGiedrė Čepaitė,Kėdainiai\n',
  Latvian: 'Vārds,Pilsēta\nJānis Bērziņš,Rīga\nLāsma Kļaviņa,Jūrmala\n',
  Greek: 'Όνομα,Πόλη\nΓιώργος Παπαδόπουλος,Αθήνα\nΕλένη Ιωάννου,Θεσσαλονίκη\n',
  Russian: 'Имя,Город\nИван Петров,Москва\nЕкатерина Смирнова,Санкт-Петербург\n',
  Ukrainian: "Ім'я,Місто\nОлексій Шевченко,Київ\nЮлія Ковальчук,Запоріжжя\n",
  Hebrew: 'שם,עיר\nדוד כהן,תל אביב\nשרה לוי,ירושלים\n',
  Arabic: 'الاسم,المدينة\nمحمد علي,القاهرة\nفاطمة حسن,بغداد\n',
  Thai: 'ชื่อ,เมือง\nสมชาย ใจดี,กรุงเทพ\nสมหญิง รักไทย,เชียงใหม่\n',
  Japanese:
    '氏名,会社,住所\n山田太郎,株式会社サンプル,東京都千代田区\n鈴木はなこ,テスト工業,おおさか\n',
  Chinese: '姓名,公司,城市\n王小明,北京科技有限公司,上海\n李丽,中国贸易公司,广州市天河区\n',
  Taiwanese: '姓名,公司,城市\n王小明,台灣科技有限公司,臺北\n陳美麗,國際貿易公司,高雄市左營區\n',
  Korean: '이름,회사,도시\n김철수,한국전자,서울\n박영희,대한무역,부산광역시\n',
};

const SAVED: readonly (readonly [string, Encoding])[] = [
  ...(['German', 'French', 'Spanish', 'Portuguese', 'Swedish'] as const).flatMap((name) => [
    [name, 'windows-1252'] as const,
    [name, 'macintosh'] as const,
  ]),
  ...['Polish', 'Czech', 'Hungarian', 'Romanian', 'Croatian'].map(
    (name) => [name, 'windows-1250'] as const,
  ),
  ['Turkish', 'windows-1254'],
  ['Lithuanian', 'windows-1257'],
  ['Latvian', 'windows-1257'],
  ['Greek', 'windows-1253'],
  ...(['windows-1251', 'koi8-r', 'ibm866', 'x-mac-cyrillic', 'iso-8859-5'] as const).map(
    (encoding) => ['Russian', encoding] as const,
  ),
  ['Ukrainian', 'windows-1251'],
  ['Ukrainian', 'koi8-u'],
  ['Hebrew', 'windows-1255'],
  ['Arabic', 'windows-1256'],
  ['Thai', 'windows-874'],
  ['Japanese', 'shift_jis'],
  ['Japanese', 'euc-jp'],
  ['Chinese', 'gb18030'],
  ['Taiwanese', 'big5'],
  ['Korean', 'euc-kr'],
];

test.each(SAVED)('%s in %s is found', (name, encoding) => {
  const text = TEXTS[name] ?? '';
  const bytes = encoded(text, encoding);
  const { encoding: found } = findEncoding(bytes);
  const decoder = openDecoder(found);
  expect(decoder.push(bytes) + decoder.end(), found).toBe(text);
});

test.each(Object.keys(TEXTS))('%s in every Unicode encoding is found for sure', (name) => {
  const text = TEXTS[name] ?? '';
  for (const encoding of ['utf-8', 'utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'] as const) {
    for (const mark of ['', '\uFEFF']) {
      if (mark === '' && encoding.startsWith('utf-16') && !/^[\x20-\x7f\n]{6}/.test(text)) continue;
      const bytes = encoded(mark + text, encoding);
      expect(findEncoding(bytes), `${encoding} ${mark}`).toMatchObject({ encoding, isSure: true });
      const decoder = openDecoder(encoding);
      const pieces = [bytes.slice(0, 7), bytes.slice(7)].map((piece) => decoder.push(piece));
      expect(pieces.join('') + decoder.end()).toBe(text);
    }
  }
});

test('ISO-2022-JP is found by its escapes', () => {
  const bytes = Buffer.from('Name\n\x1b$B;3ED\x1b(B\n', 'latin1');
  expect(findEncoding(bytes).encoding).toBe('iso-2022-jp');
  expect(openDecoder('iso-2022-jp').push(bytes)).toBe('Name\n山田\n');
});

test('a few letters that two code pages have are not sure, and both are offered', () => {
  const found = findEncoding(encoded('Name\nMarii\n', 'utf-8'));
  expect(found).toMatchObject({ encoding: 'utf-8', isSure: true });
  const one = findEncoding(Uint8Array.of(...encoded('Name\nPi', 'utf-8'), 0xb9, 0x61, 0x0a));
  expect(one.isSure).toBe(false);
  expect(one.likely).toContain('windows-1250');
});

test('bytes that Windows-1252 leaves undefined are never Windows-1252', () => {
  for (const byte of [0x81, 0x8d, 0x8f, 0x90, 0x9d]) {
    const { encoding } = findEncoding(Uint8Array.of(77, byte, 108, 108, 101, 114, 10));
    expect(encoding, String(byte)).not.toBe('windows-1252');
  }
});

test('every choice can be decoded, and the euro of Windows-1252 is a euro', () => {
  for (const encoding of ENCODINGS) {
    const decoder = openDecoder(encoding);
    expect(decoder.push(encoded('A,b\n', encoding)) + decoder.end(), encoding).toBe('A,b\n');
  }
  expect(openDecoder('windows-1252').push(Uint8Array.of(0x80, 0x92, 0x9c))).toBe('€’œ');
});
