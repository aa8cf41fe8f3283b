// A program in another language, written from openapi.yaml alone.
// It is compiled with --strict; each line with @ts-expect-error must be an error. Then it runs against the simulator.
import { deleteAuthToken, getKeywordList, listReviewedMessages, listRoles, updateKeywordList } from "./api";
import type { KeywordListForm } from "./api";
import { client } from "./api/client.gen";

declare const process: { argv: [string, string, string, string, string] };

const [, , baseUrl, apikey, authToken] = process.argv;
client.setConfig({ baseUrl, auth: apikey, throwOnError: true });

const forms: KeywordListForm[] = [
  { category: "word", searchTerms: "spam,scam" },
  { category: "pattern", searchTerms: "[0-9]{4}", name: "Numbers" },
  { category: "sentence-similarity", disallowedSentences: ["Go, now.", "Leave."] },
  { category: "word", searchTerms: "", file: new Blob(["ham\nspam"], { type: "text/csv" }) },
];

// @ts-expect-error: unknown category
export const unknown: KeywordListForm = { category: "emoji", searchTerms: "x" };
// @ts-expect-error: a field of another category
export const strange: KeywordListForm = { category: "word", disallowedSentences: ["x"] };
// @ts-expect-error: the field that its category needs is absent
export const empty: KeywordListForm = { category: "sentence-similarity" };

async function main(): Promise<void> {
  const path = { keywordId: "profanity-list" };
  const lists = [(await getKeywordList({ path, throwOnError: true })).data.data];
  for (const body of forms) {
    lists.push((await updateKeywordList({ path, body, throwOnError: true })).data.data);
  }
  const category: string = lists[0]!.category;
  const terms: string[] | undefined = lists[0]!.searchTerms;
  // @ts-expect-error: a response may leave out this field
  const revision: string = lists[0]!.revisionId;

  const messages = (await listReviewedMessages({ query: { limit: 2 }, throwOnError: true })).data;
  const sender: string | undefined = messages.data[0]?.message.sender;
  const roles = (await listRoles({ query: { page: 2, perPage: 10 }, throwOnError: true })).data;
  const total: number = roles.meta.pagination.total;
  const deleted = (await deleteAuthToken({ path: { uid: "alice", authToken }, throwOnError: true })).data.data;
  const refused = await getKeywordList({ path: { keywordId: "no-such-list" }, throwOnError: false });
  const code: string | undefined = refused.error?.error.code;

  console.log(JSON.stringify({ lists, category, terms, revision, messages, sender, roles, total, deleted, code }));
}

void main();
