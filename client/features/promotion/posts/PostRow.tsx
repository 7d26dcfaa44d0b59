import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { errorMessage } from '../../../lib/api.ts'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { toast } from '../../../ui/toast.ts'
import { leaveRow } from '../parts/focus.ts'
import { ToolButton } from '../parts/ToolButton.tsx'
import { type PostInList, useHidePost } from './api.ts'
import styles from './posts.module.css'
import { postsTexts as texts } from './texts.ts'

/** One post with where it stands, and the ways on from it. */
export function PostRow({ post, hidden }: { post: PostInList; hidden: boolean }) {
  const { _id, title, titles, createdAt } = post
  const hide = useHidePost()
  const hasSubreddits =
    post.usableSubredditsCount + post.subredditsOnTimelineCount + post.postedSubredditsCount > 0
  const failed = (error: unknown) => toast.failure(errorMessage(error))
  const switchOver = (button: HTMLElement) => {
    leaveRow(button)
    // The row goes, and with it what its own calls would have told: promises outlive it.
    const undo = () => hide.mutateAsync({ redditPostId: _id, hidden }).catch(failed)
    hide.mutateAsync({ redditPostId: _id, hidden: !hidden }).then(() => {
      toast.offer(texts.visibility, { label: texts.undo, onAct: () => void undo() })
    }, failed)
  }
  return (
    <li className={styles.post}>
      <div className={styles.words}>
        <p className={styles.name}>{title}</p>
        <p className={styles.quiet}>
          {[
            hasSubreddits ? texts.usable(post.usableSubredditsCount) : texts.noSubreddits,
            ...(post.postedSubredditsCount > 0 ? [texts.posted(post.postedSubredditsCount)] : []),
            ...(titles.length > 1 ? [texts.titles(titles.length)] : []),
            texts.created(createdAt),
          ].join('\u00a0· ')}
        </p>
        {post.subredditsOnTimelineCount > 0 && (
          <TextLink to={promotionPaths.timelineOf(_id)}>
            {texts.onTimeline(post.subredditsOnTimelineCount)}
          </TextLink>
        )}
      </div>
      <div className={styles.actions}>
        <LinkButton
          to={promotionPaths.findSubreddits(_id)}
          variant="default"
          size="sm"
          aria-label={texts.chooseOf(title)}
        >
          {texts.choose}
        </LinkButton>
        {!hidden && post.usableSubredditsCount > 0 && (
          <LinkButton
            to={promotionPaths.scheduleOf(_id)}
            variant="default"
            size="sm"
            aria-label={texts.scheduleOf(title)}
          >
            {texts.schedule}
          </LinkButton>
        )}
        <LinkButton
          to={promotionPaths.editPost(_id)}
          variant="default"
          size="sm"
          aria-label={texts.editOf(title)}
        >
          {texts.edit}
        </LinkButton>
        <ToolButton
          label={hidden ? texts.showOf(title) : texts.hideOf(title)}
          Icon={hidden ? IconEye : IconEyeOff}
          onClick={(event) => switchOver(event.currentTarget)}
        />
      </div>
    </li>
  )
}
