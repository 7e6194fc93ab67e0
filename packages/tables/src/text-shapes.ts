// Texts that are e-mail addresses, addresses of the web and telephone numbers: the same for fields and for guesses. Pure.

const EMAIL = /^[^\s@"(),:;<>[\]\\]+@[^\s@"(),:;<>[\]\\]+\.[^\s@"(),:;<>[\]\\.]+$/u;

export function isEmailAddress(text: string): boolean {
  return EMAIL.test(text);
}

export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/?#]/i.test(text) && URL.canParse(text) && !/\s/u.test(text);
}

/** `example.com/path`: a host with a domain. */
const HOST = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*\.\p{L}{2,}(:\d+)?([/?#]\S*)?$/u;

/** An address as people type and copy it, without the scheme, gets one. */
export function withScheme(text: string): string {
  return HOST.test(text) ? `https://${text}` : text;
}

/** International or national, as people write it; two of them are none. */
export function isPhoneNumber(text: string): boolean {
  return looksLikePhone(text) && !isTwoPhones(text);
}

export function looksLikePhone(text: string): boolean {
  return /^[+(\d][\d\s().,;/#*x-]*$/iu.test(text) && digitsOf(text).length >= 3;
}

/**
 * True of two whole numbers with a slash or a semicolon between them. An area code, such as `+49 33094 / 1234567`, and an
 * extension have fewer digits.
 */
export function isTwoPhones(phone: string): boolean {
  const [first = '', second, third] = phone.split(/[/;]/);
  if (second === undefined || phone.includes('#')) return false;
  const isInternational = /^\s*\(?\s*(?:\+|00)/.test(first);
  const digits = digitsOf(first).replace(/^00/, '').length;
  const isWhole = digits >= (isInternational ? 9 : 7);
  return isWhole && [second, third ?? ''].some((other) => digitsOf(other).length >= 6);
}

export function digitsOf(phone: string): string {
  return phone.replace(/\D/g, '');
}
