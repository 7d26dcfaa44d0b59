import type { PostRequirements } from '../../../../contract/forum.ts'
import { requirementTexts as texts } from './texts.ts'

/** The forum's requirements of posts, in sentences; empty if there are none. */
export function requirementSentences(wants: PostRequirements): string[] {
  const listed = (parts: readonly string[], say: (parts: readonly string[]) => string) =>
    parts.length > 0 ? [say(parts)] : []
  const counted = (number: number | null, say: (number: number) => string) =>
    number === null || number === 0 ? [] : [say(number)]
  return [
    ...(wants.is_flair_required ? [texts.flair] : []),
    ...listed(wants.title_required_strings, texts.titleRequired),
    ...listed(wants.title_blacklisted_strings, texts.titleForbidden),
    ...counted(wants.title_text_min_length, texts.titleAtLeast),
    ...counted(wants.title_text_max_length, texts.titleAtMost),
    ...wants.title_regexes.map(texts.pattern),
    ...listed(wants.body_required_strings, texts.bodyRequired),
    ...listed(wants.body_blacklisted_strings, texts.bodyForbidden),
    ...(wants.body_restriction_policy === 'required' ? [texts.needsText] : []),
    ...(wants.body_restriction_policy === 'notAllowed' ? [texts.noText] : []),
    ...(wants.link_restriction_policy === 'whitelist' ? listed(wants.domain_whitelist, texts.onlyFrom) : []),
    ...(wants.link_restriction_policy === 'blacklist' ? listed(wants.domain_blacklist, texts.notFrom) : []),
    ...counted(wants.link_repost_age, texts.repost),
    ...(wants.guidelines_text ? [wants.guidelines_text] : []),
  ]
}
