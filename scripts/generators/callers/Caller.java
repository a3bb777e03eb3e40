import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.openapitools.client.ApiClient;

/** Calls every operation with a client of openapi-generator's java. Arguments: address, file of the calls. Environment: TIPOFF_API_KEY. */
public final class Caller {
  private static final String PACKAGE = "org.openapitools.client.api.";

  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(arguments[0]);
    String key = System.getenv("TIPOFF_API_KEY");
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + key));
    ObjectMapper mapper = client.getObjectMapper();
    for (JsonNode call : mapper.readTree(Files.readString(Path.of(arguments[1])))) {
      ObjectNode line = mapper.createObjectNode().put("operation", call.get("operation").asText());
      try {
        line.set("parsed", mapper.valueToTree(run(client, mapper, call)));
      } catch (InvocationTargetException fault) {
        line.put("error", String.valueOf(fault.getCause()));
      } catch (Exception fault) {
        line.put("error", String.valueOf(fault));
      }
      System.out.println(new ObjectMapper().writeValueAsString(line));
    }
  }

  private static Object run(ApiClient client, ObjectMapper mapper, JsonNode call) throws Exception {
    Class<?> api = Class.forName(PACKAGE + call.get("tag").asText() + "Api");
    List<JsonNode> values = new ArrayList<>();
    call.get("parameters").forEach(parameter -> values.add(parameter.get("value")));
    if (call.hasNonNull("body")) values.add(call.get("bodyPosition").asInt(), call.get("body"));
    // There may be another method with headers in addition.
    Method method =
        Arrays.stream(api.getMethods())
            .filter(one -> one.getName().equals(call.get("operation").asText()))
            .filter(one -> one.getParameterCount() >= values.size())
            .min(Comparator.comparingInt(Method::getParameterCount))
            .orElseThrow();
    Object[] given = new Object[method.getParameterCount()];
    for (int index = 0; index < values.size(); index++) {
      var type = mapper.constructType(method.getGenericParameterTypes()[index]);
      given[index] = values.get(index).isNull() ? null : mapper.readValue(values.get(index).toString(), type);
    }
    return method.invoke(api.getConstructor(ApiClient.class).newInstance(client), given);
  }
}
