import { scheduleRoutes } from '../../../../contract/routes/promotion/schedule.ts'
import { useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { useZonedTime } from '../../../ui/zoned-time.ts'
import { type Candidate, scheduleChanges } from './api.ts'
import type { Poster } from './PosterField.tsx'
import { cardTexts as texts } from './texts.ts'

/** The form values of one post in one subreddit. */
export type CandidateValues = {
  /** Empty where titles are compared: the server takes the one whose turn it is. Of several one is chosen. */
  title: string
  comment: string
  flair: { id: string; text: string }
  when: 'endOfQueue' | 'later'
  /** As the field for date and time has it. */
  postTime: string
  /** Of a time that comes twice the second one. */
  isSecond: boolean
  poster: Poster
}

/** The words of the post, as both calls take them: to schedule it, and to post it at once. */
export function wordsOf({ title, comment, flair }: CandidateValues) {
  return {
    ...(title ? { title } : {}),
    comment,
    ...(flair.id ? { flairId: flair.id, flairText: flair.text } : {}),
  }
}

/** The form that schedules a candidate; `onScheduled` gets the moment for which it was. */
export function useCandidateForm(candidate: Candidate, onScheduled: (postTime: string) => void) {
  const { _id: postId, subreddit, titles, testTitles } = candidate
  const zone = useZonedTime()
  const initial: CandidateValues = {
    title: testTitles || titles.length > 1 ? '' : candidate.title,
    comment: candidate.comment,
    flair: { id: '', text: '' },
    when: 'endOfQueue',
    postTime: '',
    isSecond: false,
    poster: { accountId: null, byHand: false },
  }
  return useContractForm(scheduleRoutes.createTimelineItem, {
    initial,
    body: (values) => {
      const { when, postTime, isSecond, poster } = values
      return {
        postId,
        selectedSubreddit: subreddit,
        ...wordsOf(values),
        ...(poster.accountId ? { accountId: poster.accountId } : {}),
        byHand: poster.byHand,
        postTime:
          when === 'later' ? (zone.toMoment(postTime, isSecond)?.toISOString() ?? postTime) : 'endOfQueue',
      }
    },
    check: ({ title, when, postTime }) => ({
      ...(title === '' && !testTitles ? { title: texts.noTitle } : {}),
      ...(when === 'later' && !zone.toMoment(postTime) ? { postTime: texts.chooseTime } : {}),
    }),
    onSuccess: (item) => onScheduled(item.postTime),
    meta: scheduleChanges,
    lost: texts.lost,
  })
}
