import escapeHtml from 'escape-html'
import type { Plugin } from 'vite'
import { landingTexts } from '../app/landing/texts.ts'
import { navigationTexts } from '../app/shell/texts.ts'
import { ELSEWHERE, questionTexts } from '../features/gate/question-texts.ts'
import { discoverHeading } from '../features/media/discover/texts.ts'
import { paths } from '../lib/paths.ts'

const MARK = `<svg viewBox="12 8 42 46" width="22" height="24" fill="none" aria-hidden="true"><path d="M19 47V21.5C19 17.9 21.9 15 25.5 15H46M19 33h14" stroke="currentColor" stroke-width="6" stroke-linecap="round"/><circle cx="43.5" cy="33" r="4.5"/></svg>`

/** A form without a script: it is sent to the page that is asked for, which then opens. */
const gate = `<main class="gate" data-first-look><div class="gate-box"><span class="first-brand">${MARK}{{brand}}</span>
<h1 class="gate-question">${escapeHtml(questionTexts.question)}</h1>
<p class="gate-text">${escapeHtml(questionTexts.about)}</p>
<form method="post" class="gate-answers"><button type="submit" class="gate-yes">${questionTexts.yes}</button><a class="gate-no" href="${ELSEWHERE}" rel="noreferrer">${questionTexts.no}</a></form>
<p class="gate-small">${escapeHtml(questionTexts.kept)}</p></div></main>`

const bar = `<header class="first-bar"><nav aria-label="${navigationTexts.main}"><a class="first-brand" href="${paths.home}">${MARK}{{brand}}</a><a href="${paths.login}">${navigationTexts.logIn}</a><a href="${paths.signup}">${navigationTexts.signUp}</a></nav></header>`

const lines = landingTexts.headline.map((line) => `<span>${escapeHtml(line)}</span>`).join(' ')
const landing = `<div class="first-page"><div class="first-hero"><div><h1 class="first-headline">${lines}</h1><p class="first-lead">${escapeHtml(landingTexts.lead)}</p></div></div></div>`

const discover = `<h1 class="first-title">${escapeHtml(discoverHeading.title)}</h1><p class="first-words">${escapeHtml(discoverHeading.lead)}</p>`

/** Writes `first-look.json`: what the server puts into a document so that it is seen, and works, before any script. */
export function firstLook(): Plugin {
  return {
    name: 'first-look',
    apply: 'build',
    generateBundle() {
      const source = JSON.stringify({ gate, bar, landing, discover })
      this.emitFile({ type: 'asset', fileName: 'first-look.json', source })
    },
  }
}
