import java.io.File;
import java.util.List;
import java.util.concurrent.Callable;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.AuthTokensApi;
import org.openapitools.client.api.KeywordsApi;
import org.openapitools.client.api.ReviewedMessagesApi;
import org.openapitools.client.api.RolesApi;
import org.openapitools.client.model.KeywordCategory;

/** Calls every operation with the client that openapi-generator made for Java. */
public class Program {
  private static void show(String name, Callable<Object> call) {
    try {
      System.out.println(name + "\t" + call.call());
    } catch (ApiException error) {
      System.out.println(name + "\t!" + error.getCode() + " " + error.getResponseBody());
    } catch (Exception error) {
      System.out.println(name + "\t!" + error.toString().replace('\n', ' '));
    }
  }

  public static void main(String[] arguments) {
    ApiClient client = new ApiClient();
    client.setBasePath(arguments[0]);
    client.setApiKey(arguments[1]);
    KeywordsApi keywords = new KeywordsApi(client);
    File file = new File(arguments[3]);
    show("get", () -> keywords.getKeywordList("profanity-list", null).getData().getId());
    show("words", () -> {
      keywords.updateKeywordList("words", KeywordCategory.WORD, null, null, null, null, "spam,scam", null, null);
      return "sent";
    });
    show("patterns", () -> {
      keywords.updateKeywordList("patterns", KeywordCategory.PATTERN, null, null, null, null, "[0-9]{4}", null, null);
      return "sent";
    });
    show("sentences", () -> {
      List<String> sentences = List.of("Go, now.", "Leave.");
      keywords.updateKeywordList(
          "sentences", KeywordCategory.SENTENCE_SIMILARITY, null, null, null, null, null, sentences, null);
      return "sent";
    });
    show("file", () -> {
      keywords.updateKeywordList("file", KeywordCategory.WORD, null, null, null, null, "", null, file);
      return "sent";
    });
    show("messages", () -> new ReviewedMessagesApi(client).listReviewedMessages(2, null).getData().size());
    show("roles", () -> new RolesApi(client).listRoles(2, 10, null).getData().size());
    show("delete", () -> new AuthTokensApi(client).deleteAuthToken("alice", arguments[2], null).getData().getSuccess());
  }
}
