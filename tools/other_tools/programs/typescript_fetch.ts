// Calls every operation with the client that openapi-generator made for TypeScript.
import { readFileSync } from "node:fs";
import { AuthTokensApi, Configuration, KeywordsApi, ReviewedMessagesApi, RolesApi } from "./client";
import { show } from "./show";

const [, , basePath, apiKey, authToken, path] = process.argv as string[];
const configuration = new Configuration({ basePath: basePath!, apiKey: apiKey! });
const keywords = new KeywordsApi(configuration);
const file = new File([readFileSync(path!)], "terms.csv", { type: "text/csv" });

async function main(): Promise<void> {
  await show("get", async () => (await keywords.getKeywordList({ keywordId: "profanity-list" })).data.id);
  await show("words", async () => {
    await keywords.updateKeywordList({ keywordId: "words", category: "word", searchTerms: "spam,scam" });
    return "sent";
  });
  await show("patterns", async () => {
    await keywords.updateKeywordList({ keywordId: "patterns", category: "pattern", searchTerms: "[0-9]{4}" });
    return "sent";
  });
  await show("sentences", async () => {
    const disallowedSentences = ["Go, now.", "Leave."];
    await keywords.updateKeywordList({ keywordId: "sentences", category: "sentence-similarity", disallowedSentences });
    return "sent";
  });
  await show("file", async () => {
    await keywords.updateKeywordList({ keywordId: "file", category: "word", searchTerms: "", file });
    return "sent";
  });
  const reviewed = new ReviewedMessagesApi(configuration);
  await show("messages", async () => (await reviewed.listReviewedMessages({ limit: 2 })).data.length);
  const roles = new RolesApi(configuration);
  await show("roles", async () => (await roles.listRoles({ page: 2, perPage: 10 })).data.length);
  const tokens = new AuthTokensApi(configuration);
  const token = { uid: "alice", authToken: authToken! };
  await show("delete", async () => (await tokens.deleteAuthToken(token)).data.success);
}

void main();
