// Stand-in for the vendor's AcceptCore.js: checks the fields, then exchanges the card for a token at its own host.
;(() => {
  const apiUrl = new URL('../xml/v1/request.api', document.currentScript.src).href
  // The server writes the setting in place of this word: 'localhost', 'never' or 'always'.
  const plainHttp = '{{plainHttp}}'
  const TIMEOUT_MS = 30_000

  const texts = {
    E_WC_02: 'The page has to be served by HTTPS.',
    E_WC_04: 'A mandatory field is missing.',
    E_WC_05: 'The card number is invalid.',
    E_WC_06: 'The expiration month is invalid.',
    E_WC_07: 'The expiration year is invalid.',
    E_WC_08: 'The expiration date is in the past.',
    E_WC_10: 'The API login ID is invalid.',
    E_WC_14: 'The transmission failed.',
    E_WC_15: 'The card code is invalid.',
    E_WC_16: 'The zip is invalid.',
    E_WC_17: 'The cardholder name is invalid.',
    E_WC_18: 'The client key is missing.',
    E_WC_19: 'The server could not process this.',
    E_WC_21: 'The login ID or the client key is wrong.',
    E_WC_23: 'Either card or bank information has to be given, not both; this stand-in takes cards only.',
  }
  const codeOfApi = { I00001: 'I_WC_01', E00001: 'E_WC_19', E00007: 'E_WC_21' }

  const errors = (codes) => ({
    messages: { resultCode: 'Error', message: codes.map((code) => ({ code, text: texts[code] })) },
  })

  const passesLuhn = (digits) => {
    const sum = [...digits].reverse().reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
    return sum % 10 === 0
  }

  const isPageAllowed = () => {
    if (location.protocol === 'https:' || plainHttp === 'always') return true
    const isLocal =
      ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname) ||
      location.hostname.endsWith('.localhost')
    return plainHttp === 'localhost' && isLocal
  }

  const complaintsAboutCard = (card) => {
    if ([card.cardNumber, card.month, card.year].some((value) => value === undefined || value === null))
      return ['E_WC_04']
    const complaints = []
    const digits = String(card.cardNumber).replace(/[ .,:-]/g, '')
    const month = String(card.month)
    const year = String(card.year)
    const isMonth = /^\d{1,2}$/.test(month) && Number(month) >= 1 && Number(month) <= 12
    const isYear = /^(\d{2}|\d{4})$/.test(year)
    if (!/^\d{13,16}$/.test(digits) || !passesLuhn(digits)) complaints.push('E_WC_05')
    if (!isMonth) complaints.push('E_WC_06')
    if (!isYear) complaints.push('E_WC_07')
    if (isMonth && isYear) {
      const fullYear = year.length === 2 ? 2000 + Number(year) : Number(year)
      if (new Date(fullYear, Number(month), 1) <= new Date()) complaints.push('E_WC_08')
    }
    if (card.cardCode && !/^\d{3,4}$/.test(String(card.cardCode))) complaints.push('E_WC_15')
    if (card.zip && String(card.zip).length > 20) complaints.push('E_WC_16')
    if (card.fullName && String(card.fullName).length > 64) complaints.push('E_WC_17')
    return complaints
  }

  const complaintsAbout = (data) => {
    if (!isPageAllowed()) return ['E_WC_02']
    const complaints = []
    if (!data?.authData?.clientKey) complaints.push('E_WC_18')
    if (!data?.authData?.apiLoginID) complaints.push('E_WC_10')
    if (!data?.cardData || data.bankData) complaints.push('E_WC_23')
    else complaints.push(...complaintsAboutCard(data.cardData))
    return complaints
  }

  const identifier = () =>
    [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

  const requestOf = ({ authData, cardData }) => ({
    securePaymentContainerRequest: {
      merchantAuthentication: { name: authData.apiLoginID, clientKey: authData.clientKey },
      data: {
        type: 'TOKEN',
        id: identifier(),
        token: {
          cardNumber: String(cardData.cardNumber).replace(/[ .,:-]/g, ''),
          expirationDate: String(cardData.month).padStart(2, '0') + String(cardData.year).slice(-2),
          ...(cardData.cardCode ? { cardCode: String(cardData.cardCode) } : {}),
          ...(cardData.zip ? { zip: String(cardData.zip) } : {}),
          ...(cardData.fullName ? { fullName: String(cardData.fullName) } : {}),
        },
      },
    },
  })

  const tokenise = async (data) => {
    const complaints = complaintsAbout(data)
    if (complaints.length > 0) return errors(complaints)
    try {
      const response = await fetch(apiUrl, {
        method: 'POST',
        credentials: 'omit',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(requestOf(data)),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      if (!response.ok) return errors(['E_WC_14'])
      const { opaqueData, messages } = await response.json()
      if (opaqueData === undefined)
        return errors(messages.message.map(({ code }) => codeOfApi[code] ?? 'E_WC_14'))
      const message = messages.message.map(({ code, text }) => ({ code: codeOfApi[code] ?? code, text }))
      return { messages: { resultCode: messages.resultCode, message }, opaqueData }
    } catch {
      return errors(['E_WC_14'])
    }
  }

  const dispatchData = (secureData, callback) => {
    const run = typeof callback === 'string' ? window[callback] : callback
    tokenise(secureData).then((response) => setTimeout(() => run?.(response), 0))
  }

  const target = document.body ?? document.documentElement
  target.dispatchEvent(new CustomEvent('handshake', { bubbles: true, detail: { dispatchData } }))
})()
