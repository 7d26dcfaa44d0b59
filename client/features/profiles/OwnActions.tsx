import { IconPencil, IconPhotoCog, IconTag, IconUpload } from '@tabler/icons-react'
import { paths } from '../../lib/paths.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { ShareButton } from '../../ui/ShareButton.tsx'
import type { Profile } from './api.ts'
import { ownTexts } from './own-texts.ts'
import styles from './ProfileHeader.module.css'
import { profileTexts } from './texts.ts'

/** The actions on one's own profile. */
export default function OwnActions({ profile }: { profile: Profile }) {
  const icon = { size: 18, stroke: 1.75, 'aria-hidden': true } as const
  return (
    <>
      <LinkButton to={paths.editProfile} variant="default" leftSection={<IconPencil {...icon} />}>
        {ownTexts.edit}
      </LinkButton>
      <LinkButton to={paths.manageMedia} variant="default" leftSection={<IconPhotoCog {...icon} />}>
        {ownTexts.manageMedia}
      </LinkButton>
      {profile.isCreator && (
        <>
          <LinkButton to={paths.premiumContent} variant="default" leftSection={<IconTag {...icon} />}>
            {ownTexts.premiumContent}
          </LinkButton>
          <LinkButton to={paths.uploadBulk} leftSection={<IconUpload {...icon} />}>
            {ownTexts.upload}
          </LinkButton>
        </>
      )}
      <span className={styles.symbol}>
        <ShareButton
          path={paths.profile(profile.username)}
          title={profile.firstName || profile.username}
          symbol={profileTexts.share}
        />
      </span>
    </>
  )
}
