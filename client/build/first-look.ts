import escapeHtml from 'escape-html'
import type { Plugin } from 'vite'
import { landingTexts } from '../app/landing/texts.ts'
import { navigationTexts } from '../app/shell/texts.ts'
import { ELSEWHERE, questionTexts } from '../features/gate/question-texts.ts'
import { discoverHeading } from '../features/media/discover/texts.ts'
import { paths } from '../lib/paths.ts'
import { pagesOf } from './page-tables.ts'

const MARK = `<svg viewBox="12 8 42 46" width="22" height="24" fill="none" aria-hidden="true"><path d="M19 47V21.5C19 17.9 21.9 15 25.5 15H46M19 33h14" stroke="currentColor" stroke-width="6" stroke-linecap="round"/><circle cx="43.5" cy="33" r="4.5"/></svg>`

/** A form without a script: it is sent to the page that is asked for, which then opens. */
const gate = `<main class="gate" data-first-look><div class="gate-box"><span class="first-brand">${MARK}{{brand}}</span>
<h1 class="gate-question">${escapeHtml(questionTexts.question)}</h1>
<p class="gate-text">${escapeHtml(questionTexts.about)}</p>
<form method="post" class="gate-answers"><button type="submit" class="gate-yes">${questionTexts.yes}</button><a class="gate-no" href="${ELSEWHERE}" rel="noreferrer">${questionTexts.no}</a></form>
<p class="gate-small">${escapeHtml(questionTexts.kept)}</p></div></main>`

const bar = `<header class="first-bar"><nav aria-label="${navigationTexts.main}"><a class="first-brand" href="${paths.home}">${MARK}{{brand}}</a><a href="${paths.login}">${navigationTexts.logIn}</a><a href="${paths.signup}">${navigationTexts.signUp}</a></nav></header>`

/** The bar of somebody logged in: who that is, only the application can ask. */
const awaitedBar = `<header class="first-bar"><nav aria-label="${navigationTexts.main}"><a class="first-brand" href="${paths.home}">${MARK}{{brand}}</a><span class="first-awaited"></span></nav></header>`

const lines = landingTexts.headline.map((line) => `<span>${escapeHtml(line)}</span>`).join(' ')
const landing = `<div class="first-page"><div class="first-hero"><div><h1 class="first-headline">${lines}</h1><p class="first-lead">${escapeHtml(landingTexts.lead)}</p></div></div></div>`

/** Pages whose heading is always the same, by the width at which `ui/Page` and `ui/text-page` put it. */
const WIDTHS = {
  page: ['/unavailable', '/emailconfirmation', '/agecheck'],
  text: ['/donate', '/free-ad-credits'],
  form: [paths.login, paths.signup, '/reset', '/resetconfirmed/:userId/:token', '/unsubscribe'],
  reading: [
    paths.contact,
    ...['/affiliates', '/how-to-use', '/removal', '/complaints', '/2257', '/privacy', '/refund-policy'],
    ...[
      '/cancellation-policy',
      '/terms-and-conditions',
      '/terms',
      '/anti-trafficking',
      '/content-moderation',
    ],
  ],
} as const

/** A heading where the page has its own, with a sentence below it. */
function heading(width: keyof typeof WIDTHS, title: string, lead?: string): string {
  const words = lead === undefined ? '' : `<p class="first-words">${escapeHtml(lead)}</p>`
  return `<div class="first-heading" data-width="${width}"><h1 class="first-title">${escapeHtml(title)}</h1>${words}</div>`
}

/** The headings by the pattern of their page, whose name stands in the tables of pages. */
function headings(titles: ReadonlyMap<string, string>): Record<string, string> {
  const fixed = Object.entries(WIDTHS).flatMap(([width, pages]) =>
    pages.map((page) => {
      const title = titles.get(page)
      if (title === undefined) throw new Error(`There is no page ${page}.`)
      return [page, heading(width as keyof typeof WIDTHS, title)]
    }),
  )
  const { title, lead } = discoverHeading
  return {
    ...Object.fromEntries(fixed),
    [paths.home]: landing,
    [paths.discover]: heading('page', title, lead),
  }
}

/** Writes `first-look.json`: what the server puts into a document so that it is seen, and works, before any script. */
export function firstLook(): Plugin {
  return {
    name: 'first-look',
    apply: 'build',
    generateBundle() {
      const titles = new Map(pagesOf(this).map(({ path, title }) => [path, title]))
      const source = JSON.stringify({ gate, bar, awaitedBar, headings: headings(titles) })
      this.emitFile({ type: 'asset', fileName: 'first-look.json', source })
    },
  }
}
