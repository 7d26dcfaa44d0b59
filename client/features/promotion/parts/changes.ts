import type { SubredditChange } from '../../../../contract/forum.ts'
import { requirementSentences } from './requirements.ts'
import { changeTexts as texts } from './texts.ts'

/** A change as lines that were there before and are there now; neither where only the order is another. */
export function linesOf(change: SubredditChange): { before: string[]; after: string[] } {
  switch (change.part) {
    case 'rules':
      return sides(change, (rules) =>
        rules.map(({ name, description }) => (description ? `${name}: ${description}` : name)),
      )
    case 'flair':
      return sides(change, (flair) =>
        flair.map(({ text, editable }) => (editable ? `${text} (${texts.ownText})` : text)),
      )
    case 'requirements':
      return sides(change, requirementSentences)
    case 'access':
      return sides(change, ({ state }) => [texts.states[state]])
  }
}

/** The lines of both sides without those that they share. */
function sides<T>(change: { before: T; after: T }, say: (value: T) => string[]) {
  const [before, after] = [say(change.before), say(change.after)]
  return {
    before: before.filter((line) => !after.includes(line)),
    after: after.filter((line) => !before.includes(line)),
  }
}
